"""The live dial: frames from the engine, drawn in the browser under the hand."""
