package lake

// What tests of crashes, power cuts and full disks hook into; in the program they do nothing.
var (
	// reached is called at named points of a write, where a process may be killed.
	reached = func(point string) {}
	// answered is called when a table's metadata has been moved; false is an answer that somebody else was first.
	answered = func() bool { return true }
	// flushed is called when a file's content or a folder's names are safe from a power cut.
	flushed = func(path string) {}
)
