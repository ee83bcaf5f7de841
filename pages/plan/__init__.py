"""The plan in hand: its account, its answers, what may be downloaded, and what a page needs before it begins."""
