"""The guided tour and the presenter's path: their stops, how far somebody is, the bar that shows the way."""
