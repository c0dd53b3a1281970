// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// keys are what a release is signed with; either may be missing.
type keys struct {
	// A private key of OpenPGP, as gpg exports it: Maven Central takes only such signatures.
	pgp []byte
	// A key of the curve P-256, whose signatures cosign and openssl verify.
	elliptic *ecdsa.PrivateKey
}

// add reads a file with a private key, of either kind.
func (k *keys) add(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--key: %w", err)
	}
	if strings.Contains(string(content), "-----BEGIN PGP PRIVATE KEY BLOCK-----") {
		k.pgp = content
		return nil
	}
	for rest := content; ; {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			break
		}
		var parsed any
		switch block.Type {
		case "EC PRIVATE KEY":
			parsed, err = x509.ParseECPrivateKey(block.Bytes)
		case "PRIVATE KEY":
			parsed, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		default:
			continue
		}
		if err != nil {
			return fmt.Errorf("--key %s: %w", file, err)
		}
		key, is := parsed.(*ecdsa.PrivateKey)
		if !is || key.Curve != elliptic.P256() {
			return fmt.Errorf("--key %s: not a key of the curve P-256; make one: openssl ecparam -name prime256v1 -genkey -noout", file)
		}
		k.elliptic = key
		return nil
	}
	return fmt.Errorf("--key %s: neither a private key of OpenPGP (gpg --armor --export-secret-keys) nor one of the curve P-256 in PEM, without a password", file)
}

// publicKey is what verifies the signatures.
func (k *keys) publicKey() ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(&k.elliptic.PublicKey)
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), err
}

// signature is that of `cosign sign-blob`: ECDSA of the SHA-256, in DER, in Base64.
func (k *keys) signature(content []byte) ([]byte, error) {
	of := sha256.Sum256(content)
	der, err := ecdsa.SignASN1(rand.Reader, k.elliptic, of[:])
	return []byte(base64.StdEncoding.EncodeToString(der)), err
}

// envelope is a signed statement as in-toto has it (DSSE).
func (k *keys) envelope(payload []byte) ([]byte, error) {
	const payloadType = "application/vnd.in-toto+json"
	signature, err := k.signature([]byte(fmt.Sprintf("DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(payload), payload)))
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKIXPublicKey(&k.elliptic.PublicKey)
	if err != nil {
		return nil, err
	}
	of := sha256.Sum256(der)
	text, err := json.Marshal(map[string]any{
		"payloadType": payloadType, "payload": base64.StdEncoding.EncodeToString(payload),
		"signatures": []map[string]string{{"keyid": hex.EncodeToString(of[:]), "sig": string(signature)}},
	})
	return append(text, '\n'), err
}

// pgpSign writes FILE.asc beside each file. gpg has a home of its own, which ends with it.
func (k *keys) pgpSign(files []string) error {
	directory, err := os.MkdirTemp("", "phasewise-gpg")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	defer exec.Command("gpgconf", "--homedir", directory, "--kill", "all").Run()
	import_ := exec.Command("gpg", "--homedir", directory, "--batch", "--quiet", "--import")
	import_.Stdin = strings.NewReader(string(k.pgp))
	if said, err := import_.CombinedOutput(); err != nil {
		return fmt.Errorf("gpg --import: %w: %s", err, said)
	}
	for _, file := range files {
		sign := exec.Command("gpg", "--homedir", directory, "--batch", "--yes", "--quiet", "--armor", "--detach-sign", file)
		if said, err := sign.CombinedOutput(); err != nil {
			return fmt.Errorf("gpg --detach-sign %s: %w: %s", filepath.Base(file), err, said)
		}
	}
	return nil
}
