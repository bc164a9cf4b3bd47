"""What can be declared at the prompt, shared by the commands."""
