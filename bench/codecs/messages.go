//go:build linux

package codecs

// The messages, as Go programs write them. Package pb has the same for protobuf.
type (
	// Terms are the arguments of sum.
	Terms struct {
		A int64 `json:"a"`
		B int64 `json:"b"`
	}

	// Reading is a flat record.
	Reading struct {
		Station     string  `json:"station"`
		Operator    string  `json:"operator"`
		Country     string  `json:"country"`
		Latitude    float64 `json:"latitude"`
		Longitude   float64 `json:"longitude"`
		Altitude    int64   `json:"altitude"`
		Taken       int64   `json:"taken"`
		Temperature float64 `json:"temperature"`
		Humidity    float64 `json:"humidity"`
		Pressure    float64 `json:"pressure"`
		WindSpeed   float64 `json:"wind_speed"`
		WindFrom    int64   `json:"wind_from"`
		Raining     bool    `json:"raining"`
		Calibrated  bool    `json:"calibrated"`
		Firmware    string  `json:"firmware"`
		Serial      string  `json:"serial"`
		Sequence    int64   `json:"sequence"`
		Quality     string  `json:"quality"`
		Contact     string  `json:"contact"`
		Remark      string  `json:"remark"`
	}

	// Order has records and lists in it.
	Order struct {
		ID       int64   `json:"id"`
		Customer string  `json:"customer"`
		Billing  Address `json:"billing"`
		Shipping Address `json:"shipping"`
		Items    []Item  `json:"items"`
		Coupons  []int64 `json:"coupons"`
		Total    float64 `json:"total"`
		Paid     bool    `json:"paid"`
	}

	// Address is a part of Order.
	Address struct {
		Name    string `json:"name"`
		Street  string `json:"street"`
		City    string `json:"city"`
		Zip     string `json:"zip"`
		Country string `json:"country"`
	}

	// Item is a part of Order.
	Item struct {
		SKU      string   `json:"sku"`
		Title    string   `json:"title"`
		Quantity int64    `json:"quantity"`
		Price    float64  `json:"price"`
		Tags     []string `json:"tags"`
		Gift     bool     `json:"gift"`
	}
)

var (
	terms = Terms{23, 42}

	reading = Reading{
		Station: "north-ridge-07", Operator: "Institute for Alpine Weather", Country: "CH",
		Latitude: 46.536452, Longitude: 7.962719, Altitude: 3571, Taken: 1764489600123,
		Temperature: -12.75, Humidity: 81.5, Pressure: 651.25, WindSpeed: 17.25, WindFrom: 285,
		Raining: false, Calibrated: true, Firmware: "4.11.2-rc3", Serial: "AWS-2291-7734-X",
		Sequence: 90817263, Quality: "verified", Contact: "readings@weather.example",
		Remark: "Icing on the anemometer between four and six; " +
			"the values of that time are estimates from the mast below it, which was sheltered by rocks from the west.",
	}

	order = Order{
		ID: 202611300042, Customer: "Lise Meitner",
		Billing:  Address{"Lise Meitner", "Boltzmannstrasse 5", "Wien", "1090", "AT"},
		Shipping: Address{"Laboratory of radiochemistry, third floor", "Faradayweg 4", "Berlin", "14195", "DE"},
		Items: []Item{
			{"LAMP-0012", "Desk lamp, brass", 2, 89.5, []string{"light", "office", "brass"}, false},
			{"BOOK-7781", "Tables of integrals, series and products", 1, 54.25, []string{"mathematics", "reference"}, true},
			{"CHEM-0440", "Beaker 250 ml, borosilicate", 24, 3.75, []string{"glass", "laboratory"}, false},
			{"TOOL-0093", "Caliper, 150 mm", 1, 41, []string{"steel", "measuring", "metric"}, false},
			{"PAPR-2200", "Squared paper A4, 500 sheets, lines of five millimetres", 3, 7.95, []string{"paper"}, false},
		},
		Coupons: []int64{110092, 220184, 330276}, Total: 388.1, Paid: true,
	}
)
