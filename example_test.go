package anywire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/anywire/anywire"
)

func Sum(a, b int) int { return a + b }

// One function, and clients that know nothing of Go: curl, nc, a browser, any JSON-RPC library.
func Example() {
	srv := anywire.NewServer()
	srv.Handle("sum", Sum, anywire.Params("a", "b"), anywire.ReadOnly())

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go srv.Serve(l)
	defer srv.Close()

	res, err := http.Get("http://" + l.Addr().String() + "/sum?a=2&b=3")
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	fmt.Println(res.Status, string(body))
	// Output: 200 OK 5
}

func ExampleDial() {
	srv := anywire.NewServer()
	srv.Handle("sum", Sum, anywire.Params("a", "b"))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go srv.Serve(l)
	defer srv.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	c, err := anywire.Dial(ctx, "tcp://"+l.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	byName, err := anywire.Call[int](ctx, c, "sum", map[string]int{"a": 2, "b": 3})
	fmt.Println(byName, err)
	byPosition, err := anywire.Call[int](ctx, c, "sum", []int{4, 5})
	fmt.Println(byPosition, err)
	// Output:
	// 5 <nil>
	// 9 <nil>
}

func ExampleClient_Batch() {
	srv := anywire.NewServer()
	defer srv.Close()
	srv.Handle("sum", Sum, anywire.Params("a", "b"))
	c := srv.Client()
	defer c.Close()

	var first, second int
	err := c.Batch(context.Background(),
		&anywire.Request{Method: "sum", In: []int{1, 2}, Out: &first},
		&anywire.Request{Method: "sum", In: []int{3, 4}, Out: &second},
	)
	fmt.Println(first, second, err)
	// Output: 3 7 <nil>
}

func ExampleErrorf() {
	srv := anywire.NewServer()
	defer srv.Close()
	srv.Handle("order", func(id int) (string, error) {
		return "", anywire.Errorf(anywire.NotFound, "there is no order %d", id).WithApp(1207).WithDetails(map[string]int{"id": id})
	}, anywire.Params("id"))
	c := srv.Client()
	defer c.Close()

	_, err := anywire.Call[string](context.Background(), c, "order", 7)
	fmt.Println(err)
	fmt.Println(errors.Is(err, anywire.NotFound))
	var e *anywire.Error
	if errors.As(err, &e) {
		fmt.Println(e.App, string(e.Details))
	}
	// Output:
	// not_found (1207): there is no order 7
	// true
	// 1207 {"id":7}
}

func ExampleUse() {
	log := func(next anywire.Handler) anywire.Handler {
		return func(ctx context.Context, c *anywire.CallInfo) error {
			err := next(ctx, c)
			fmt.Println(c.Method, "for", c.Meta.Get("user"), "gave", c.Out, err)
			return err
		}
	}
	srv := anywire.NewServer(anywire.Use(log))
	defer srv.Close()
	srv.Handle("sum", Sum, anywire.Params("a", "b"))
	c := srv.Client()
	defer c.Close()

	c.Call(context.Background(), "sum", []int{1, 2}, nil, anywire.WithMeta("user", "ann"))
	// Output: sum for ann gave 3 <nil>
}

func ExampleAdmit() {
	token := func(h *anywire.Head) error {
		if h.Get("authorization") != "Bearer secret" {
			return anywire.Errorf(anywire.Unauthenticated, "send a token")
		}
		return nil
	}
	srv := anywire.NewServer(anywire.Admit(token))
	defer srv.Close()
	srv.Handle("sum", Sum, anywire.Params("a", "b"))
	c := srv.Client()
	defer c.Close()

	_, err := anywire.Call[int](context.Background(), c, "sum", []int{1, 2})
	fmt.Println(err)
	n, err := anywire.Call[int](context.Background(), c, "sum", []int{1, 2}, anywire.WithMeta("authorization", "Bearer secret"))
	fmt.Println(n, err)
	// Output:
	// unauthenticated: send a token
	// 3 <nil>
}

// Calculator is a service: its exported methods are callable.
type Calculator struct{ Precision int }

// AddAll is registered as add_all.
func (c *Calculator) AddAll(numbers ...float64) string {
	total := 0.0
	for _, n := range numbers {
		total += n
	}
	return fmt.Sprintf("%.*f", c.Precision, total)
}

func ExampleServer_Service() {
	srv := anywire.NewServer()
	defer srv.Close()
	srv.Service("calc", &Calculator{Precision: 2})
	c := srv.Client()
	defer c.Close()

	fmt.Println(anywire.Call[string](context.Background(), c, "calc.add_all", []float64{1, 2.5}))
	// Output: 3.50 <nil>
}

func ExampleServer_Mount() {
	srv := anywire.NewServer()
	srv.Handle("sum", Sum, anywire.Params("a", "b"), anywire.ReadOnly())
	srv.Mount("/hello", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "hello") }))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go srv.Serve(l)
	defer srv.Close()

	for _, path := range []string{"/hello", "/sum?a=1&b=2"} {
		res, err := http.Get("http://" + l.Addr().String() + path)
		if err != nil {
			log.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		fmt.Println(string(body))
	}
	// Output:
	// hello
	// 3
}
