"""Who somebody is in this browser, and what runs only for whom."""
