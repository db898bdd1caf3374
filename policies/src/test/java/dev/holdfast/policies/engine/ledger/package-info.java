/** Tests of what the ledger has of moves. */
