package main

import "github.com/alecthomas/kong"

// commands is the grammar of the command line: one field a subcommand, each in a file of its own.
type commands struct {
	Call callCommand `cmd:"" help:"Call a method."`
	List listCommand `cmd:"" help:"List the methods of a server."`
	Demo demoCommand `cmd:"" help:"Serve example functions, and print commands that call them."`
}

// run executes one command line and returns its exit code.
func run(args []string, con *console) int {
	var grammar commands
	parser := kong.Must(&grammar,
		kong.Name("anywire"),
		kong.Description("Call plain functions over every protocol, on one port."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(con.out, con.err),
		kong.Bind(con),
	)
	line, err := parser.Parse(permute(parser.Model, args))
	if err != nil {
		return con.fail(usageError{err})
	}
	return con.fail(line.Run())
}
