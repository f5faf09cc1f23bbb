package schema

import (
	"reflect"
	"strconv"
	"strings"
)

// tagOptions is what a json tag says of a field.
type tagOptions struct {
	name      string
	named     bool // name is from the tag
	embed     bool // the members of the field count as members of the struct
	omit      bool // omitempty or omitzero
	quoted    bool // string: numbers travel as text
	formatted bool // format: another form than the usual one
}

// parseTag reads the tag of f; skip says that f is no member at all.
func parseTag(f reflect.StructField) (opts tagOptions, skip bool) {
	tag := f.Tag.Get("json")
	if tag == "-" || !f.IsExported() && !f.Anonymous {
		return opts, true
	}
	name, rest := cutName(tag)
	opts.name, opts.named = name, name != ""
	if !opts.named {
		opts.name = f.Name
	}
	for option := range strings.SplitSeq(rest, ",") {
		switch {
		case option == "embed":
			opts.embed = true
		case option == "omitempty" || option == "omitzero":
			opts.omit = true
		case option == "string":
			opts.quoted = true
		case strings.HasPrefix(option, "format:"):
			opts.formatted = true
		}
	}
	if f.Anonymous && !opts.named {
		opts.embed = true
	}
	return opts, false
}

// cutName splits the name from the options. A name in single quotes may hold commas.
func cutName(tag string) (name, options string) {
	if !strings.HasPrefix(tag, "'") {
		name, options, _ = strings.Cut(tag, ",")
		return name, options
	}
	end := strings.LastIndexByte(tag, '\'')
	inner := strings.ReplaceAll(strings.ReplaceAll(tag[1:max(end, 1)], `"`, `\"`), `\'`, `'`)
	name, err := strconv.Unquote(`"` + inner + `"`)
	if err != nil {
		return "", ""
	}
	return name, strings.TrimPrefix(tag[end+1:], ",")
}
