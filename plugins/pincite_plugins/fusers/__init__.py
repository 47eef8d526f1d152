"""Several rankings → one."""
