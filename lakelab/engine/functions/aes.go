package functions

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
)

// AES as Spark has it: ECB and CBC with PKCS, GCM (the default) without padding. The initialisation vector stands in front of the
// encrypted bytes.

func aesFunctions() {
	encrypt := func(_ *expr.Call, a []string) string { return "spark_aes_encrypt(" + join(aesArguments(a, 6)) + ")" }
	decrypt := func(_ *expr.Call, a []string) string { return "spark_aes_decrypt(" + join(aesArguments(a, 5)) + ")" }
	e := defaults(6, printed("aes_encrypt(expr, key[, mode[, padding[, iv[, aad]]]])", "binary, binary, string?, string?, binary?, binary? -> binary?", "expr encrypted with AES", encrypt), "GCM", "DEFAULT", "", "")
	e.NonDeterministic = true
	d := defaults(5, printed("aes_decrypt(expr, key[, mode[, padding[, aad]]])", "binary, binary, string?, string?, binary? -> binary?", "expr decrypted with AES", decrypt), "GCM", "DEFAULT", "")
	try := defaults(5, known("aes_decrypt", printed("try_aes_decrypt(expr, key[, mode[, padding[, aad]]])", "binary, binary, string?, string?, binary? -> binary?", "expr decrypted with AES, or NULL", func(c *expr.Call, a []string) string {
		return "spark_try_aes_decrypt(" + join(aesArguments(a, 5)) + ")"
	})), "GCM", "DEFAULT", "")
	spark(e, d, try)
	failing("spark_aes_encrypt", "binary, binary, string, string, binary, binary -> binary", aesEncrypt)
	failing("spark_aes_decrypt", "binary, binary, string, string, binary -> binary", aesDecrypt)
	define("spark_try_aes_decrypt", "binary, binary, string, string, binary -> binary", func(a []any) any {
		out, err := aesDecrypt(a)
		if err != nil {
			return nil
		}
		return out
	})
}

func aesArguments(a []string, n int) []string {
	all := []string{"", "", "'GCM'", "'DEFAULT'", "''::BLOB", "''::BLOB"}[:n]
	return append(append([]string{}, a...), all[len(a):]...)
}

// aesMode checks the mode, the padding and the key.
func aesMode(key []byte, mode, padding string) (cipher.Block, string, error) {
	m, p := strings.ToUpper(mode), strings.ToUpper(padding)
	if m != "GCM" && m != "ECB" && m != "CBC" || p != "DEFAULT" && !(p == "PKCS" && m != "GCM") && !(p == "NONE" && m == "GCM") {
		return nil, "", raise("UNSUPPORTED_FEATURE.AES_MODE", mode, padding)
	}
	if n := len(key); n != 16 && n != 24 && n != 32 {
		return nil, "", raise("INVALID_PARAMETER_VALUE.AES_KEY_LENGTH", strconv.Itoa(n))
	}
	b, err := aes.NewCipher(key)
	return b, m, err
}

func aesEncrypt(a []any) (any, error) {
	text, iv, aad := a[0].([]byte), a[4].([]byte), a[5].([]byte)
	b, mode, err := aesMode(a[1].([]byte), a[2].(string), a[3].(string))
	if err != nil {
		return nil, err
	}
	size := map[string]int{"GCM": 12, "CBC": 16}[mode]
	switch {
	case len(iv) > 0 && mode == "ECB":
		return nil, raise("UNSUPPORTED_FEATURE.AES_MODE_IV", mode)
	case len(aad) > 0 && mode != "GCM":
		return nil, raise("UNSUPPORTED_FEATURE.AES_MODE_AAD", mode, "aes_encrypt")
	case len(iv) > 0 && len(iv) != size:
		return nil, raise("INVALID_PARAMETER_VALUE.AES_IV_LENGTH", strconv.Itoa(len(iv)), a[2].(string))
	case len(iv) == 0:
		iv = make([]byte, size)
		if _, err := rand.Read(iv); err != nil {
			return nil, err
		}
	}
	if mode == "GCM" {
		g, err := cipher.NewGCM(b)
		if err != nil {
			return nil, err
		}
		return g.Seal(bytes.Clone(iv), iv, text, aad), nil
	}
	pad := 16 - len(text)%16
	text = append(bytes.Clone(text), bytes.Repeat([]byte{byte(pad)}, pad)...)
	out := make([]byte, len(text))
	if mode == "CBC" {
		cipher.NewCBCEncrypter(b, iv).CryptBlocks(out, text)
		return append(bytes.Clone(iv), out...), nil
	}
	for i := 0; i < len(text); i += 16 {
		b.Encrypt(out[i:], text[i:])
	}
	return out, nil
}

func aesDecrypt(a []any) (any, error) {
	text, aad := a[0].([]byte), a[4].([]byte)
	b, mode, err := aesMode(a[1].([]byte), a[2].(string), a[3].(string))
	if err != nil {
		return nil, err
	}
	if len(aad) > 0 && mode != "GCM" {
		return nil, raise("UNSUPPORTED_FEATURE.AES_MODE_AAD", mode, "aes_decrypt")
	}
	bad := func(why string) (any, error) { return nil, raise("INVALID_PARAMETER_VALUE.AES_CRYPTO_ERROR", why) }
	if n := map[string]int{"GCM": 12, "CBC": 16}[mode]; len(text) < n {
		return nil, raise("JAVA.IllegalArgumentException", "Invalid buffer arguments")
	}
	if mode == "GCM" {
		g, err := cipher.NewGCM(b)
		if err != nil {
			return nil, err
		}
		out, err := g.Open(nil, text[:12], text[12:], aad)
		if err != nil && len(text) < 28 {
			return bad("Input data too short to contain an expected tag length of 16bytes")
		}
		if err != nil {
			return bad("Tag mismatch!")
		}
		return append([]byte{}, out...), nil
	}
	iv := text[:0]
	if mode == "CBC" {
		iv, text = text[:16], text[16:]
	}
	if len(text)%16 != 0 {
		return bad("Input length must be multiple of 16 when decrypting with padded cipher")
	}
	if len(text) == 0 {
		return []byte{}, nil
	}
	out := make([]byte, len(text))
	if mode == "CBC" {
		cipher.NewCBCDecrypter(b, iv).CryptBlocks(out, text)
	} else {
		for i := 0; i < len(text); i += 16 {
			b.Decrypt(out[i:], text[i:])
		}
	}
	pad := int(out[len(out)-1])
	if pad < 1 || pad > 16 || !bytes.Equal(out[len(out)-pad:], bytes.Repeat([]byte{byte(pad)}, pad)) {
		return bad("Given final block not properly padded. Such issues can arise if a bad key is used during decryption.")
	}
	return out[:len(out)-pad], nil
}
