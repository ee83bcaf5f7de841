"""How the process is served: to this machine alone, or with --share to its network too; nothing here imports a page."""
