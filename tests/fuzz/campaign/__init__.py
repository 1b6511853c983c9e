"""`make fuzz MINUTES=10`: as many hostile inputs as fit into the time, in processes that are watched.

A *case* is one input; its *kind* and its seed make it again. A worker tries cases one after the other and
keeps what it is at in a file, where whoever watches it can see it after a crash. A case *passes* if the
library takes it, or refuses it with the error it promises; it *fails* by any other error, by ending or
hanging the process, or by more memory than a worker may have.
"""
