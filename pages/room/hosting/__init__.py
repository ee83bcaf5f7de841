"""The facilitator's page in its parts: what a room is opened with, who pays, what is on, what comes next, the end."""
