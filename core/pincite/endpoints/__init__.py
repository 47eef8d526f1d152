"""What is shared by embedders that must agree with the local model: fixed texts, agreement, verdicts (specs/22-endpoints.md)."""
