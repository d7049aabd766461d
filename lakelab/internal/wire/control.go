package wire

// Requests outside of a session, from commands and kernels.
const (
	OpStatus     = "status"     // {} -> {sessions int64, protocol int64}
	OpEndSession = "endSession" // {session string}
	OpShutdown   = "shutdown"   // {}: the engine ends after its reply
)
