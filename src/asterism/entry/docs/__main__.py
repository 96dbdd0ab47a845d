"""Write the generated pages: `python -m asterism.entry.docs`."""

from __future__ import annotations

from asterism.entry.docs.generate import main

if __name__ == "__main__":
    main()
