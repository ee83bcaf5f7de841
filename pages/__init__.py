"""The screens: no arithmetic below this line."""
