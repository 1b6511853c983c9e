"""Whether thriftwood's trees are those of the programs they are named after, table by table."""
