/* mpg321 asks for this file; everything it would say is given to the compiler. */
