//go:build linux

package load

import (
	"bytes"
	"fmt"
	"strconv"
)

// payload makes requests and checks answers, both without framing.
type payload interface {
	// append appends the request with this id, which is not 0.
	append(dst []byte, id uint64) []byte
	// check returns which request the body answers, 0 meaning the oldest, or what is wrong with it.
	check(body []byte) (id uint64, err error)
}

// sum asks for a+b, under changing names or with naps where it is told to, with a different a for each id.
type sum struct{ methods, napEvery uint64 }

const addend = 42

func (s sum) append(dst []byte, id uint64) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"`...)
	dst = s.method(dst, id)
	dst = append(dst, `","params":{"a":`...)
	dst = strconv.AppendUint(dst, augend(id), 10)
	dst = append(dst, `,"b":42},"id":`...)
	dst = strconv.AppendUint(dst, id, 10)
	return append(dst, '}')
}

func (s sum) method(dst []byte, id uint64) []byte {
	switch {
	case s.naps(id):
		return append(dst, "nap"...)
	case s.methods > 0:
		return fmt.Appendf(dst, "sum%05d", id%s.methods)
	}
	return append(dst, "sum"...)
}

func (s sum) naps(id uint64) bool { return s.napEvery > 0 && id%s.napEvery == 0 }

// augend spreads ids over numbers of one to four digits.
func augend(id uint64) uint64 { return id * 7 % 2048 }

func (s sum) check(body []byte) (uint64, error) {
	id, result, err := members(body)
	if err == nil && result != augend(id)+addend {
		err = fmt.Errorf("wrong sum: %s", body)
	}
	return id, err
}

// bulk hands over one long text and gets its decoded length back.
type bulk struct{ text []byte }

func newBulk(size int) bulk {
	return bulk{bytes.Repeat([]byte("QW55d2lyZSBt"), size/12)} // base64 of nine bytes
}

func (b bulk) append(dst []byte, id uint64) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = strconv.AppendUint(dst, id, 10)
	dst = append(dst, `,"method":"measure","params":{"data":"`...)
	dst = append(dst, b.text...)
	return append(dst, `"}}`...)
}

func (b bulk) check(body []byte) (uint64, error) {
	id, result, err := members(body)
	if err == nil && result != uint64(len(b.text)/4*3) {
		err = fmt.Errorf("wrong length: %s", body)
	}
	return id, err
}

// fixed sends what another payload sends to a server that looks at nothing.
type fixed struct {
	payload
	want []byte
}

func (f fixed) check(body []byte) (uint64, error) {
	if !bytes.Equal(body, f.want) {
		return 0, fmt.Errorf("wrong answer: %s", body)
	}
	return 0, nil
}

// members reads the id and the result of an answer, both whole numbers.
func members(body []byte) (id, result uint64, err error) {
	id, okID := number(body, `"id":`)
	result, okResult := number(body, `"result":`)
	if !okID || !okResult {
		return 0, 0, fmt.Errorf("not an answer: %s", body[:min(len(body), 200)])
	}
	return id, result, nil
}

func number(body []byte, name string) (n uint64, ok bool) {
	at := bytes.Index(body, []byte(name))
	if at < 0 {
		return 0, false
	}
	for _, c := range body[at+len(name):] {
		if c < '0' || c > '9' {
			break
		}
		n, ok = n*10+uint64(c-'0'), true
	}
	return n, ok
}
