//go:build linux

package load

import (
	"math/bits"
	"time"
)

// histogram counts durations with an error below 1/64: every power of two is cut into 64 equal buckets.
type histogram struct {
	buckets [64 * 64]uint64
	count   uint64
}

const cuts = 6 // log2 of the buckets for each power of two

func (h *histogram) add(d time.Duration) {
	h.buckets[bucketOf(uint64(max(d, 0)))]++
	h.count++
}

func bucketOf(ns uint64) int {
	shift := max(bits.Len64(ns)-cuts-1, 0)
	return shift<<cuts + int(ns>>shift)
}

// quantile returns the lower bound of the bucket in which the share q of all durations ends.
func (h *histogram) quantile(q float64) time.Duration {
	rest := int64(q * float64(h.count))
	for i, n := range h.buckets {
		rest -= int64(n)
		if rest < 0 {
			return lowest(i)
		}
	}
	return 0
}

// lowest is the smallest duration of a bucket, the inverse of bucketOf.
func lowest(bucket int) time.Duration {
	shift := max(bucket>>cuts-1, 0)
	return time.Duration((bucket - shift<<cuts) << shift)
}
