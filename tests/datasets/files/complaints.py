def complaint(read):
    """What is said about a file that cannot be read; None if it can. No other error may come out."""
    try:
        read()
    except ValueError as error:
        return str(error)
    return None
