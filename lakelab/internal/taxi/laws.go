package taxi

import "time"

// The laws of the synthetic month: what is drawn, and how often. Shares are in thousandths.

var (
	month      = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	clockReset = time.Date(2002, 12, 31, 22, 0, 0, 0, time.UTC)
)

// TLC's codes and zones that the laws refer to.
const (
	unknownPayment = 0
	creditCard     = 1

	standardRate = 1
	jfkRate      = 2 // a flat fare between JFK and Manhattan

	jfk       = 132
	laGuardia = 138
)

var (
	vendors     = []weighted{{1, 250}, {2, 748}, {6, 2}}
	passengers  = []weighted{{0, 10}, {1, 750}, {2, 140}, {3, 40}, {4, 20}, {5, 20}, {6, 20}}
	rates       = []weighted{{standardRate, 970}, {3, 5}, {4, 5}, {5, 10}, {99, 10}}
	payments    = []weighted{{creditCard, 760}, {2, 170}, {3, 10}, {4, 20}, {unknownPayment, 40}}
	extras      = []weighted{{0, 400}, {100, 300}, {250, 250}, {350, 50}}
	congestions = []weighted{{250, 900}, {0, 100}}
	tipPercents = []weighted{{0, 250}, {15, 250}, {20, 250}, {25, 250}}
)

// distances are quantiles of a trip's length in hundredths of a mile (half of the trips are shorter than 1.82).
var distances = []knot{
	{0, 0}, {100, 22}, {500, 41}, {1000, 57}, {2500, 99}, {5000, 182}, {7500, 334}, {9000, 578}, {9500, 801}, {9900, 1479}, {9990, 2940}, {10000, 6000},
}

// airportDistances are those of a trip that begins or ends at JFK or LaGuardia.
var airportDistances = []knot{{0, 100}, {500, 300}, {2500, 900}, {5000, 1050}, {7500, 1650}, {9000, 1870}, {9900, 2300}, {10000, 6000}}

// Fees and the flat fare of the airports, in cents.
const (
	airportFee = 175 // of a trip that begins there
	jfkFare    = 7000
)

// pace is the range of seconds per mile: short trips crawl through Manhattan, long ones take a motorway.
func pace(distance int64) (lo, hi int64) {
	if distance > 800 {
		return 110, 260
	}
	return 150, 480
}

// hourWeights are running sums of how many trips begin in each hour of a day.
var hourWeights = running([24]int{26, 18, 12, 8, 6, 8, 18, 34, 44, 44, 46, 50, 54, 56, 60, 62, 62, 68, 72, 64, 58, 56, 52, 40})

func running(w [24]int) [24]int {
	for i := 1; i < len(w); i++ {
		w[i] += w[i-1]
	}
	return w
}

// zoneWeight says how often trips begin or end in a zone: the middle of Manhattan and the airports are where the taxis are.
func zoneWeight(z zone) int {
	if w, ok := busyZones[z.id]; ok {
		return w
	}
	if z.borough == "Manhattan" && z.service != "Yellow Zone" {
		return 40 // north of Central Park
	}
	return boroughWeight[z.borough]
}

// busyZones are the zones that stand out in their borough, to either side.
var busyZones = map[int]int{
	jfk: 750, laGuardia: 500,
	161: 650, 237: 640, 236: 600, 162: 500, 230: 480, 186: 480, 142: 440, 170: 400, 239: 400, 163: 400, 68: 370, 234: 370,
	48: 360, 141: 330, 79: 320, 164: 310, 249: 310, 107: 300, 263: 290, 238: 280, 140: 280, 143: 200,
	103: 1, 104: 1, 105: 1, 194: 2, 43: 60, // islands, and a park
}

// boroughWeight is the weight of any other zone.
var boroughWeight = map[string]int{
	"Manhattan": 110, "Queens": 8, "Brooklyn": 16, "Bronx": 4, "Staten Island": 1, "EWR": 20, "Unknown": 80, "N/A": 40,
}
