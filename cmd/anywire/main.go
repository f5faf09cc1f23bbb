// Command anywire serves and calls functions on the command line; "anywire --help" says how.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], stdConsole())) }
