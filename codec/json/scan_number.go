package json

// number says how far a number has come (RFC 8259 section 6). It is kept between calls, so that a number of a million
// digits that come one by one is not read a million times.
type number uint8

const (
	begun    number = iota // nothing yet
	minus                  // -
	zero                   // 0
	integer                // 12
	point                  // 12.
	fraction               // 12.5
	exponent               // 12e
	sign                   // 12e+
	power                  // 12e+3
	over                   // the byte does not belong to the number, which is whole
	broken                 // the byte makes it wrong
)

// Classes of bytes in a number.
const (
	otherByte = iota
	zeroByte
	digitByte // 1 to 9
	pointByte
	expByte // e, E
	plusByte
	minusByte
	byteClasses
)

// numberRules tells for each state and class of byte the next state.
var numberRules = [...][byteClasses]number{
	//         other   0         1-9       .       e, E      +       -
	begun:    {broken, zero, integer, broken, broken, broken, minus},
	minus:    {broken, zero, integer, broken, broken, broken, broken},
	zero:     {over, broken, broken, point, exponent, over, over},
	integer:  {over, integer, integer, point, exponent, over, over},
	point:    {broken, fraction, fraction, broken, broken, broken, broken},
	fraction: {over, fraction, fraction, over, exponent, over, over},
	exponent: {broken, power, power, broken, broken, sign, sign},
	sign:     {broken, power, power, broken, broken, broken, broken},
	power:    {over, power, power, over, over, over, over},
}

// whole reports whether the number may end here.
func (n number) whole() bool { return numberRules[n][otherByte] == over }

// numberByte is the class of each byte.
var numberByte = [256]uint8{
	'0': zeroByte, '1': digitByte, '2': digitByte, '3': digitByte, '4': digitByte, '5': digitByte, '6': digitByte,
	'7': digitByte, '8': digitByte, '9': digitByte, '.': pointByte, 'e': expByte, 'E': expByte, '+': plusByte, '-': minusByte,
}

func (s *Scanner) scanNumber(in []byte) bool {
	n := s.number
	for i := s.pos; i < len(in); i++ {
		next := numberRules[n][numberByte[in[i]]]
		switch next {
		case over:
			s.pos = i
			return s.valueDone(in)
		case broken:
			return s.fail(i, "malformed number")
		}
		n = next
	}
	s.pos, s.number = len(in), n
	return false
}
