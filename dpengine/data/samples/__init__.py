"""Tables that come with the project, with their public facts."""
