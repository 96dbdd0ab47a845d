"""A memory as a file: its ledger as JSON lines, its graph as GraphML, DOT, Mermaid, CSV, Parquet or networkx.

Writers and readers work on plain values and know nothing of the engine.
"""
