"""The laws of an answer's error: of noise, of sampling, of both together, of a quotient, of a choice."""
