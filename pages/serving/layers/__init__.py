"""What stands between the network and Streamlit, each a layer that shuts one side door."""
