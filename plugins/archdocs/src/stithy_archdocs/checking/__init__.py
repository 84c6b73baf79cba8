"""What is wrong with the documents, and a picture of the decisions."""
