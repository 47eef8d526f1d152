"""Models as data: a card says what a model is, where its files are and how its vectors are made (specs/08-model-cards.md)."""
