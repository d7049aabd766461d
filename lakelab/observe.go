package lakelab

// Observation holds metrics of a DataFrame (pyspark.sql.Observation).
//
//	seen := lakelab.NewObservation("trips")
//	good := df.Filter("fare > 0").Observe(seen, F.Count("*").As("rows"))
//	seen.Get()["rows"]
type Observation struct {
	name    string
	df      *DataFrame
	metrics []any
	values  map[string]any
}

// NewObservation names an observation; the name only helps a reader.
func NewObservation(name string) *Observation { return &Observation{name: name} }

// Observe asks for aggregates over the rows that come by here (observe). An Observation serves one DataFrame. Spark fills it when
// an action has run and waits until then; here Get computes it by a query of its own.
func (df *DataFrame) Observe(o *Observation, metrics ...Column) *DataFrame {
	if o.df != nil {
		raisePy("PySparkAssertionError", "REUSE_OBSERVATION", "An Observation can be used with a DataFrame only once.")
	}
	if len(metrics) == 0 {
		raisePy("PySparkValueError", "CANNOT_BE_EMPTY", "At least one exprs must be specified.")
	}
	list := make([]any, len(metrics))
	for i, m := range metrics {
		list[i] = m
	}
	if err, _ := Try(func() { df.Agg(list...) }).(*Error); err != nil {
		if name, isName := metrics[0].Node()["name"].(string); isName && err.Class == "MISSING_GROUP_BY" {
			raiseClass("AnalysisException", "INVALID_OBSERVED_METRICS.NON_AGGREGATE_FUNC_ARG_IS_ATTRIBUTE", "42K0E",
				"Invalid observed metrics. Attribute \"%s\" can only be used as an argument to an aggregate function.", name)
		}
		panic(failure{err})
	}
	o.df, o.metrics = df, list
	return df
}

// Get computes the metrics, once, by name (get).
func (o *Observation) Get() map[string]any {
	if o.df == nil {
		raisePy("PySparkAssertionError", "NO_OBSERVE_BEFORE_GET", "Should observe by calling `DataFrame.observe` before `get`.")
	}
	if o.values == nil {
		row := o.df.Agg(o.metrics...).First()
		o.values = map[string]any{}
		for i, name := range row.Columns() {
			o.values[name] = row.At(i)
		}
	}
	return o.values
}
