"""What every capability stands on: items, time, columns, nodes, parameters, values."""
