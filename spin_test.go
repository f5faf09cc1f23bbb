package anywire_test

import (
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// A server that spins answers like any other, and ends.
func TestSpin(t *testing.T) {
	addr := serve(t, sumServer(anywire.Spin(20*time.Microsecond)))
	c := clientDial(t, "tcp://"+addr)
	for i := range 2000 {
		if n, err := anywire.Call[int](clientContext(t), c, "sum", []int{i, 1}); n != i+1 || err != nil {
			t.Fatalf("call %d: %d, %v", i, n, err)
		}
		if i%500 == 0 {
			time.Sleep(5 * time.Millisecond) // longer than it spins
		}
	}
}

// DrainDelay keeps answering while /readyz says no.
func TestDrainDelay(t *testing.T) {
	srv := sumServer(anywire.DrainDelay(300 * time.Millisecond))
	addr := serve(t, srv)
	done := make(chan error, 1)
	go func() { done <- srv.Shutdown(clientContext(t)) }()
	time.Sleep(50 * time.Millisecond)
	res, body := httpDo(t, httpRequest(t, "GET", "http://"+addr+"/readyz", ""))
	if res.StatusCode != 503 {
		t.Errorf("/readyz during the delay: %d %s", res.StatusCode, body)
	}
	if _, body = httpDo(t, httpRequest(t, "GET", "http://"+addr+"/sum?a=2&b=3", "")); body != "5" {
		t.Errorf("a call during the delay: %s", body)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
