"""The configuration: one resolved set of values, and where each came from (specs/02-configuration.md)."""
