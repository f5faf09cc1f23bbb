package json

import (
	"reflect"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
)

// structField is a field that is a member of the object that its struct becomes.
type structField struct {
	name      string
	typ       reflect.Type
	offset    uintptr
	omitEmpty bool
	omitZero  bool
}

// structFields lists the members of the struct t as encoding/json/v2 sees them, in the order in which they are written. It
// is not ok for a struct that only the library understands: with other tag options than omitempty and omitzero, embedded
// pointers, names that hide each other, or a mistake.
func structFields(t reflect.Type) (fields []structField, ok bool) {
	if jsonv2.Unmarshal([]byte("{}"), reflect.New(t).Interface()) != nil {
		return nil, false
	}
	names := map[string]bool{}
	if !addFields(t, 0, &fields) || len(fields) > maxMembers {
		return nil, false
	}
	for _, f := range fields {
		if names[f.name] {
			return nil, false
		}
		names[f.name] = true
	}
	return fields, true
}

func addFields(t reflect.Type, offset uintptr, fields *[]structField) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		out := structField{name: f.Name, typ: f.Type, offset: offset + f.Offset}
		switch named, ok := out.parse(tag); {
		case !ok, f.Anonymous && named && !f.IsExported(), out.omitZero && hasPointerMethods(f.Type):
			return false
		case f.Anonymous && !named:
			if f.Type.Kind() != reflect.Struct || tag != "" || !addFields(f.Type, out.offset, fields) {
				return false
			}
		default:
			*fields = append(*fields, out)
		}
	}
	return true
}

// hasPointerMethods reports whether t may have methods that must not be called on nil.
func hasPointerMethods(t reflect.Type) bool {
	return t.NumMethod() > 0 && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface)
}

// parse reads the tag. named says that it has a name.
func (f *structField) parse(tag string) (named, ok bool) {
	if strings.ContainsAny(tag, "'\"`\\") {
		return false, false
	}
	name, options, _ := strings.Cut(tag, ",")
	if name != "" {
		f.name = name
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
		default:
			return false, false
		}
	}
	return name != "", true
}
