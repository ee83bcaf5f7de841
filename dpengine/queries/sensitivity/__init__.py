"""How far one person moves each figure under both relations, with the sentence why."""
