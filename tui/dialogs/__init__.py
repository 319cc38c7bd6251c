"""Small modal questions: a label, a note, a filter, yes or no."""
