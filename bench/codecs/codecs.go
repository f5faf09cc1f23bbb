//go:build linux

// Package codecs measures decoding: the same three messages by Anywire's JSON, that of others, and protobuf.
package codecs

import (
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/anywire/anywire/codec/json"
	"github.com/bytedance/sonic"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/anywire/anywire/bench/codecs/pb"
)

// Ours is the name of the codec that others are compared with.
const Ours = "anywire"

// Case is one message with one codec.
type Case struct {
	Message string // what it is, with its size in JSON
	Codec   string
	Size    int          // encoded bytes
	Decode  func() error // into a new value
}

// unmarshalers are the JSON codecs that decode into Go values.
var unmarshalers = []struct {
	name   string
	decode func(data []byte, v any) error
}{
	{Ours, json.Unmarshal},
	{"encoding/json", stdjson.Unmarshal},
	{"sonic, as encoding/json", sonic.ConfigStd.Unmarshal},
	{"sonic, its default", sonic.ConfigDefault.Unmarshal},
}

// Cases returns all messages with all codecs, having seen that each decodes what was encoded.
func Cases() (all []Case, err error) {
	for _, cases := range []func() ([]Case, error){
		func() ([]Case, error) { return casesOf("parameters of sum", terms, &pb.Terms{}) },
		func() ([]Case, error) { return casesOf("flat record", reading, &pb.Reading{}) },
		func() ([]Case, error) { return casesOf("nested record", order, &pb.Order{}) },
	} {
		list, err := cases()
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func casesOf[T any](name string, value T, like proto.Message) ([]Case, error) {
	text, err := stdjson.Marshal(value)
	if err != nil {
		return nil, err
	}
	name = fmt.Sprintf("%s, %d bytes", name, len(text))
	var cases []Case
	for _, u := range unmarshalers {
		var got T
		if err := u.decode(text, &got); err != nil || !reflect.DeepEqual(got, value) {
			return nil, fmt.Errorf("%s decodes %s to %v, %v", u.name, text, got, err)
		}
		cases = append(cases, Case{name, u.name, len(text), func() error { return u.decode(text, new(T)) }})
	}
	binary, err := protobufOf(text, like)
	kind := like.ProtoReflect().Type()
	decode := func() error { return proto.Unmarshal(binary, kind.New().Interface()) }
	return append(cases, Case{name, "protobuf", len(binary), decode}), err
}

// protobufOf encodes what text says as a message of the kind of m, and sees that it comes back the same.
func protobufOf(text []byte, m proto.Message) ([]byte, error) {
	if err := protojson.Unmarshal(text, m); err != nil {
		return nil, err
	}
	binary, err := proto.Marshal(m)
	if err != nil {
		return nil, err
	}
	back := m.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(binary, back); err != nil || !proto.Equal(m, back) {
		return nil, fmt.Errorf("protobuf decodes %s to %v, %v", text, back, err)
	}
	return binary, nil
}

// Time returns the CPU time of one decode, measured for about d, with that of the garbage collector.
func (c Case) Time(d time.Duration) (time.Duration, error) {
	runs := 0
	start := cpuTime()
	for batch := 1; cpuTime()-start < d; batch = min(2*batch, 1<<12) {
		for range batch {
			if err := c.Decode(); err != nil {
				return 0, err
			}
		}
		runs += batch
	}
	return (cpuTime() - start) / time.Duration(runs), nil
}

// Allocs returns the allocations of one decode, that of the value among them.
func (c Case) Allocs() int { return int(testing.AllocsPerRun(100, func() { c.Decode() })) }
