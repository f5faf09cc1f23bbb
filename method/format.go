package method

import (
	"net/mail"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/anywire/anywire/codec/json"
)

// format is one that strings can be held to.
type format struct {
	name  string // for those who sent something else
	holds func(s string) bool
}

// formats are those of schema.Formats.
var formats = map[string]format{
	"date":      {"a date such as 2026-11-30", isDate},
	"date-time": {"an RFC 3339 time", isTime},
	"email":     {"an email address", isEmail},
	"hostname":  {"a host name", isHostname},
	"ipv4":      {"an IPv4 address", isIPv4},
	"ipv6":      {"an IPv6 address", isIPv6},
	"uri":       {"a URI with a scheme", isURI},
	"uuid":      {"a UUID", isUUID},
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isTime(s string) bool {
	var t time.Time
	return json.Unmarshal(json.AppendString(nil, s), &t) == nil // time itself is not as strict
}

// isEmail takes an address alone, without a name before it.
func isEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Name == "" && a.Address == s
}

// isHostname follows RFC 1123 section 2.1: labels of letters, digits and inner hyphens.
func isHostname(s string) bool {
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		strange := func(c rune) bool {
			return c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
		}
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' || strings.ContainsFunc(label, strange) {
			return false
		}
	}
	return true
}

func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

func isURI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != ""
}

// isUUID takes the form of RFC 9562 section 4: 8-4-4-4-12 hexadecimal digits.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(s) {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		digit := '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
		if hyphen != (c == '-') || !hyphen && !digit {
			return false
		}
	}
	return true
}
