"""The guided tour: its steps, how far somebody is, the bar that shows the way, and the page it begins and ends on."""
