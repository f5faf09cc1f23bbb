package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire"
	"github.com/anywire/anywire/cmd/anywire/internal/demo"
)

// TestPrintedCommands runs each command that the demo prints, with stand-ins for the programs that they use.
func TestPrintedCommands(t *testing.T) {
	srv, addr := serveDemo(t)
	var printed bytes.Buffer
	if err := (&console{out: &printed}).introduce(t.Context(), srv, addr); err != nil {
		t.Fatal(err)
	}

	ran := map[string]bool{}
	for _, block := range strings.Split(printed.String(), "\n# ")[1:] {
		title, command, _ := strings.Cut(block, "\n")
		words := shellWords(command)
		program, ok := programs[words[0]]
		if !ok {
			t.Errorf("%s: %q is not a known program", title, words[0])
			continue
		}
		ran[words[0]] = true
		if err := program(words[1:], addr); err != nil {
			t.Errorf("%s: %s%v", title, command, err)
		}
	}
	if len(ran) != len(programs) {
		t.Errorf("of the known programs only %v were used in\n%s", ran, printed.String())
	}
}

func serveDemo(t *testing.T) (srv *anywire.Server, addr string) {
	store := demo.NewMemory(10)
	if err := demo.SaveSample(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	srv = anywire.NewServer()
	demo.Register(srv, store)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	t.Cleanup(func() {
		srv.Close()
		if err := <-served; !errors.Is(err, anywire.ErrServerClosed) {
			t.Errorf("Serve: %v", err)
		}
	})
	return srv, l.Addr().String()
}

// programs stand in for the programs of the printed commands. Each is given its arguments and the address of the server.
var programs = map[string]func(args []string, addr string) error{
	"curl": curl, "echo": echoToNetcat, "anywire": anywireItself, "python3": python,
}

func curl(args []string, _ string) error {
	method, body, url, contentType := "GET", "", "", "application/x-www-form-urlencoded"
	for ; len(args) > 0; args = args[1:] {
		switch args[0] {
		case "-H":
			contentType = strings.TrimPrefix(args[1], "Content-Type: ")
			args = args[1:]
		case "-d":
			method, body = "POST", args[1]
			args = args[1:]
		default:
			url = args[0]
		}
	}
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	if body != "" {
		req.Header.Set("Content-Type", contentType)
	}
	client := http.Client{Timeout: patience}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode/100 != 2 || bytes.Contains(answer, []byte(`"error"`)) {
		return fmt.Errorf("answered %s: %s, %v", resp.Status, answer, err)
	}
	return nil
}

// echoToNetcat is "echo TEXT | nc -w 1 HOST PORT".
func echoToNetcat(args []string, _ string) error {
	if pipe := strings.Join(args[1:5], " "); pipe != "| nc -w 1" {
		return fmt.Errorf("%q is not the expected pipe", pipe)
	}
	conn, err := net.Dial("tcp", net.JoinHostPort(args[5], args[6]))
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprintln(conn, args[0])
	answer := make([]byte, 1024)
	n, err := conn.Read(answer)
	if err != nil || bytes.Contains(answer[:n], []byte(`"error"`)) {
		return fmt.Errorf("answered %s, %v", answer[:n], err)
	}
	return nil
}

func anywireItself(args []string, _ string) error {
	var stdout, stderr bytes.Buffer
	if code := run(args, &console{out: &stdout, err: &stderr}); code != 0 || stdout.Len() == 0 {
		return fmt.Errorf("exit code %d: %s%s", code, stdout.String(), stderr.String())
	}
	return nil
}

func python(args []string, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if want := fmt.Sprintf("Client(uri=%q, port=%s).sum(a=2, b=3)", host, port); !strings.Contains(args[1], want) {
		return fmt.Errorf("the program does not contain %s", want)
	}
	return nil
}

var shellWord = regexp.MustCompile(`(?:'[^']*'|[^\s'])+`)

// shellWords splits a line as a shell does that knows only white space and single quotes.
func shellWords(line string) []string {
	words := shellWord.FindAllString(line, -1)
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "'", "")
	}
	return words
}
