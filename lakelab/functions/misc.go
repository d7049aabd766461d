package functions

import "mini-lakehouse-lab/lakelab"

// Hashes, encryption, and what asks for the session.

// AESDecrypt: bytes that AESEncrypt made, with the key (aes_decrypt). More may give, in order: mode, padding, aad.
func AESDecrypt(col, key any, more ...any) lakelab.Column {
	return call("aes_decrypt", then([]any{col, key}, more)...)
}

// AESEncrypt: bytes encrypted with AES (aes_encrypt). More may give, in order: mode, padding, iv, aad.
func AESEncrypt(col, key any, more ...any) lakelab.Column {
	return call("aes_encrypt", then([]any{col, key}, more)...)
}

// CRC32: CRC-32 (crc32).
func CRC32(col any) lakelab.Column { return call("crc32", col) }

// CurrentCatalog: the session's catalog (current_catalog).
func CurrentCatalog() lakelab.Column { return call("current_catalog") }

// CurrentDatabase: the session's database (current_database).
func CurrentDatabase() lakelab.Column { return call("current_database") }

// CurrentSchema: the session's database (current_schema).
func CurrentSchema() lakelab.Column { return call("current_schema") }

// CurrentUser: the user (current_user).
func CurrentUser() lakelab.Column { return call("current_user") }

// SessionUser: the user (session_user).
func SessionUser() lakelab.Column { return call("session_user") }

// SHA: SHA-1 in hex (sha).
func SHA(col any) lakelab.Column { return call("sha", col) }

// SHA1: SHA-1 in hex (sha1).
func SHA1(col any) lakelab.Column { return call("sha1", col) }

// TryAESDecrypt: AESDecrypt that gives NULL for what it can not decrypt (try_aes_decrypt). More may give, in order: mode, padding, aad.
func TryAESDecrypt(col, key any, more ...any) lakelab.Column {
	return call("try_aes_decrypt", then([]any{col, key}, more)...)
}

// TryMakeTimestamp: a timestamp of its parts (try_make_timestamp).
func TryMakeTimestamp(years, months, days, hours, mins, secs any, timezone ...any) lakelab.Column {
	return call("try_make_timestamp", then([]any{years, months, days, hours, mins, secs}, timezone)...)
}

// TryMakeTimestampLTZ: a timestamp of its parts (try_make_timestamp_ltz).
func TryMakeTimestampLTZ(years, months, days, hours, mins, secs any, timezone ...any) lakelab.Column {
	return call("try_make_timestamp_ltz", then([]any{years, months, days, hours, mins, secs}, timezone)...)
}

// TryMakeTimestampNTZ: a timestamp of its parts (try_make_timestamp_ntz).
func TryMakeTimestampNTZ(years, months, days, hours, mins, secs any) lakelab.Column {
	return call("try_make_timestamp_ntz", years, months, days, hours, mins, secs)
}

// TypeOf: name of expr's type (typeof).
func TypeOf(col any) lakelab.Column { return call("typeof", col) }

// User: the user (user).
func User() lakelab.Column { return call("user") }

// Version: the version of Spark whose answers these are (version).
func Version() lakelab.Column { return call("version") }

// XXHash64: xxHash64 with seed 42 (xxhash64).
func XXHash64(cols ...any) lakelab.Column {
	return call("xxhash64", cols...)
}
