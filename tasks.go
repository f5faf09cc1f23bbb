package anywire

import "sync"

// tasks are goroutines that are waited for. Unlike a WaitGroup it may be told to end while others begin more.
type tasks struct {
	mu    sync.Mutex
	ended bool           // guarded by mu
	wg    sync.WaitGroup // Add only with mu held
}

// begin runs f in a goroutine and reports true, or false when the tasks have ended.
func (t *tasks) begin(f func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return false
	}
	t.wg.Go(f)
	return true
}

// end lets no more begin and waits for those that have.
func (t *tasks) end() {
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	t.wg.Wait()
}
