"""What makes and tries things: releases, pictures, screens, runs, model servers."""
