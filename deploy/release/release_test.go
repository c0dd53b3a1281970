// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cavaliergopher/cpio"
)

var someTime = time.Unix(1_790_000_000, 0).UTC()

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func expect(t *testing.T, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v; expected %v", what, got, want)
	}
}

func refused(t *testing.T, err error, with string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), with) {
		t.Errorf("the error is %v; expected one with %q", err, with)
	}
}

func TestArgumentsThatAreRefusedAreNamed(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for given, says := range map[string]string{
		"":                             "the version is ''; allowed: 0.2.0, or 0.2.0-rc.1",
		"v0.2.0":                       "the version is 'v0.2.0'",
		"0.2":                          "the version is '0.2'",
		"0.2.0 0.3.0":                  "allowed: one version",
		"0.2.0 --colour red":           "no option --colour; allowed: --output",
		"0.2.0 --output":               "--output: a value is missing",
		"0.2.0 --key /does/not/exist":  "--key: open /does/not/exist",
		"0.2.0 --output " + full:       "there is something in it",
		"0.2.0 --key deploy/no-key.go": "--key: open",
	} {
		_, err := parse(strings.Fields(given), "/root")
		refused(t, err, says)
		if known, is := err.(fault); !is || known.code != 2 {
			t.Errorf("%q: %v does not end with code 2", given, err)
		}
	}
	made := must[*release](t)(parse([]string{"0.2.0-rc.1"}, "/root"))
	expect(t, "where to", made.output, "/root/target/release/0.2.0-rc.1")
}

func TestNotesAreWhatTheChangelogSaysOfTheVersion(t *testing.T) {
	changelog := "# Changelog\n\n## 0.2.0, unreleased\n\nNew.\n\n### Canary\n\n- Faster.\n\n## 0.1.0\n\nOld.\n"
	for _, version := range []string{"0.2.0", "0.2.0-rc.1"} {
		expect(t, "notes", must[string](t)(notesOf(changelog, version)), "# Phasewise "+version+"\n\nNew.\n\n### Canary\n\n- Faster.\n")
	}
	expect(t, "the last notes", must[string](t)(notesOf(changelog, "0.1.0")), "# Phasewise 0.1.0\n\nOld.\n")
	_, err := notesOf(changelog, "0.3.0")
	refused(t, err, "no heading '## 0.3.0'")
	_, err = notesOf("## 0.3.0\n\n## 0.2.0\nNew\n", "0.3.0")
	refused(t, err, "says nothing of 0.3.0")
}

func TestTheVersionIsWrittenWhereverThatOfThePomStands(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"pom.xml":                       "<artifactId>phasewise</artifactId>\n<version>0.2.0-SNAPSHOT</version><project.build.outputTimestamp>x</project.build.outputTimestamp>",
		"deploy/canary/deployment.yaml": "image: phasewise/canary:0.2.0-SNAPSHOT", "deploy/chart/Chart.yaml": "apiVersion: v2\nversion: 0.2.0-SNAPSHOT\nappVersion: 0.2.0-SNAPSHOT\n",
		"deploy/README.md": "phasewise-canary_0.2.0~SNAPSHOT_all.deb",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := setVersion(root, "0.2.0-rc.1", someTime); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"pom.xml": "<artifactId>phasewise</artifactId>\n<version>0.2.0-rc.1</version><project.build.outputTimestamp>" + someTime.Format(time.RFC3339) +
			"</project.build.outputTimestamp>",
		"deploy/canary/deployment.yaml": "image: phasewise/canary:0.2.0-rc.1", "deploy/chart/Chart.yaml": "apiVersion: v2\nversion: 0.2.0-rc.1\nappVersion: 0.2.0-rc.1\n",
		"deploy/README.md": "phasewise-canary_0.2.0~rc.1_all.deb",
	} {
		expect(t, name, string(must[[]byte](t)(os.ReadFile(filepath.Join(root, name)))), want)
	}
}

func someImage(t *testing.T) (*layout, []layer) {
	t.Helper()
	files := tree{}
	files.file("opt/a", 0o644, []byte("A"))
	files.symlink("usr/bin/sh", "busybox")
	layers := []layer{must[layer](t)(layerOf(files, "a test", someTime))}
	return newLayout(), layers
}

func TestALayerHasTheSameBytesAndEveryDirectoryOfItsFiles(t *testing.T) {
	_, once := someImage(t)
	_, again := someImage(t)
	expect(t, "the second digest", again[0].descriptor.Digest, once[0].descriptor.Digest)
	read := tree{}
	files := tree{}
	files.file("opt/a", 0o600, []byte("A"))
	var plain bytes.Buffer
	if err := files.tar(&plain, someTime); err != nil {
		t.Fatal(err)
	}
	expect(t, "the digest of what is not compressed", once[0].diffID != once[0].descriptor.Digest, true)
	if err := read.unpack(&plain, everything); err != nil {
		t.Fatal(err)
	}
	expect(t, "opt is a directory", read["opt"] != nil && read["opt"].isDir, true)
	expect(t, "the mode", read["opt/a"].mode, int64(0o600))
}

func TestALayoutThatWasWrittenIsRead(t *testing.T) {
	out, layers := someImage(t)
	of := must[descriptor](t)(out.image("arm64", running{User: "10001"}, layers, someTime))
	all := must[descriptor](t)(out.json(typeIndex, index{SchemaVersion: 2, MediaType: typeIndex, Manifests: []descriptor{of}}))
	file := filepath.Join(t.TempDir(), "image.tar")
	if err := out.write(file, "phasewise/canary", "0.2.0", all, someTime); err != nil {
		t.Fatal(err)
	}
	read := must[*layout](t)(readLayout(file))
	found := must[[]layer](t)(read.layersOf("arm64"))
	expect(t, "layers", len(found), 1)
	expect(t, "the layer's digest", found[0].descriptor.Digest, layers[0].descriptor.Digest)
	expect(t, "the digest of what is not compressed", found[0].diffID, layers[0].diffID)
	_, err := read.layersOf("amd64")
	refused(t, err, "no image for amd64")
	for name, blob := range read.files {
		if strings.HasPrefix(name, "blobs/sha256/") && !blob.isDir {
			expect(t, "what a blob is called", name, "blobs/sha256/"+sum(blob.content))
		}
	}
}

func TestEveryImageHasItsPackagesForBothArchitectures(t *testing.T) {
	for _, architecture := range architectures {
		for _, names := range [][]string{basePackages, javaPackages, {"busybox-static"}} {
			for _, each := range must[[]debianPackage](t)(packagesFor(pinned, architecture, names)) {
				if len(each.sha256) != 64 || !strings.Contains(each.url, "/pool/") {
					t.Errorf("packages.txt: %v", each)
				}
			}
		}
	}
	_, err := packagesFor(pinned, "s390x", basePackages)
	refused(t, err, "0 lines of base-files for s390x")
}

func TestAnImageHasNoManualsButEveryLicence(t *testing.T) {
	for name, want := range map[string]bool{
		"usr/share/doc/libc6/copyright": true, "usr/share/doc/libc6/changelog.gz": false, "usr/share/man/man1/a": false, "usr/share/common-licenses/GPL-2": true,
		"usr/lib/x86_64-linux-gnu/libc.so.6": true, "usr/lib/aarch64-linux-gnu/gconv/BIG5.so": false, "etc/protocols": true, "tmp": true, "root": false,
	} {
		expect(t, name, needed(name), want)
	}
}

// The environment and the arguments of the images that can also be built by Docker.
func TestTheCanaryIsStartedAsByItsDockerfile(t *testing.T) {
	dockerfile := string(must[[]byte](t)(os.ReadFile("../../canary/Dockerfile")))
	made := must[image](t)(imageNamed("canary"))
	quoted := make([]string, len(made.run.Entrypoint))
	for at, each := range made.run.Entrypoint {
		quoted[at] = `"` + each + `"`
	}
	for _, line := range []string{
		"ENTRYPOINT [ " + strings.Join(quoted, ", ") + " ]\n", "ENV " + strings.Replace(canaryJVM, "=", `="`, 1) + "\"\n", fmt.Sprintf("--uid %d ", userNumber),
	} {
		if !strings.Contains(dockerfile, line) {
			t.Errorf("canary/Dockerfile does not have %q", line)
		}
	}
}

// The directory that a volume takes its owner from is the same in both images.
func TestTheCanaryMayWriteWhereItsDockerfileLetsIt(t *testing.T) {
	dockerfile := string(must[[]byte](t)(os.ReadFile("../../canary/Dockerfile")))
	said := regexp.MustCompile(`install --directory --owner=phasewise --mode=(\d+) /(\S+)\n`).FindStringSubmatch(dockerfile)
	if said == nil {
		t.Fatal("canary/Dockerfile makes no directory of the user phasewise")
	}
	headers := headersOf(t, must[image](t)(imageNamed("canary")).own(nil))
	directory, has := headers[said[2]+"/"]
	if !has {
		t.Fatalf("the image has no directory %s", said[2])
	}
	expect(t, "its mode", fmt.Sprintf("%#o", directory.Mode), said[1])
	expect(t, "its owner", directory.Uid, userNumber)
	expect(t, "its group", directory.Gid, userNumber)
	expect(t, "the owner of the directory above", headers["var/lib/"].Uid, 0)
	expect(t, "the owner of the jar", headers["opt/phasewise/canary.jar"].Uid, 0)
}

// headersOf are those of a tree's tar, by name.
func headersOf(t *testing.T, files tree) map[string]*tar.Header {
	t.Helper()
	var plain bytes.Buffer
	if err := files.tar(&plain, someTime); err != nil {
		t.Fatal(err)
	}
	headers := map[string]*tar.Header{}
	archive := tar.NewReader(&plain)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return headers
		}
		if err != nil {
			t.Fatal(err)
		}
		headers[header.Name] = header
	}
}

func TestAPomHasWhatMavenCentralAsksFor(t *testing.T) {
	for _, each := range modules {
		var read project
		if err := xml.Unmarshal(must[[]byte](t)(each.pom("0.2.0", "https://example.com/phasewise")), &read); err != nil {
			t.Fatal(err)
		}
		expect(t, "the version", read.Version, "0.2.0")
		for what, value := range map[string]string{
			"name": read.Name, "description": read.Description, "url": read.URL, "license": read.Licenses[0].URL, "developer": read.Developers[0].Name,
			"scm": read.SCM.URL, "connection": read.SCM.Connection,
		} {
			if value == "" {
				t.Errorf("%s: no %s", each.name, what)
			}
		}
	}
}

func TestAJarWithoutTheTextOfALicenceIsRefused(t *testing.T) {
	libraries := must[bill](t)(readBill([]byte(`{"components": [
		{"name": "asm", "licenses": [{"license": {"id": "BSD-3-Clause"}}]},
		{"name": "slf4j-api", "licenses": [{"license": {"id": "MIT"}}]},
		{"name": "jackson-core", "licenses": [{"license": {"id": "Apache-2.0"}}]},
		{"name": "either", "licenses": [{"expression": "Apache-2.0 OR MIT"}]},
		{"group": "io.phasewise", "name": "phasewise-common"}]}`))).Components
	files := map[string][]byte{"META-INF/LICENSE": []byte("Apache License"), "META-INF/licenses/ASM": nil}
	refused(t, checkLicences(must[[]byte](t)(jarOf(files, someTime)), libraries), "for: slf4j-api (MIT)")
	files["META-INF/licenses/slf4j"] = nil
	if err := checkLicences(must[[]byte](t)(jarOf(files, someTime)), libraries); err != nil {
		t.Error(err)
	}
	delete(files, "META-INF/LICENSE")
	refused(t, checkLicences(must[[]byte](t)(jarOf(files, someTime)), libraries), "META-INF/LICENSE is not there")
}

func TestTheBundleForMavenCentralHasASignatureOfEveryFile(t *testing.T) {
	files := map[string][]byte{"phasewise-canary-0.2.0.jar": []byte("jar"), "phasewise-canary-0.2.0.jar.asc": []byte("asc"), "phasewise-canary-0.2.0.pom": nil}
	_, err := centralBundle(files, "0.2.0", someTime)
	refused(t, err, "phasewise-canary-0.2.0.pom has no signature")
}

func TestWhatIsSignedIsVerifiedByThePublicKey(t *testing.T) {
	key := must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	file := filepath.Join(t.TempDir(), "key.pem")
	der := must[[]byte](t)(x509.MarshalPKCS8PrivateKey(key))
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	var given keys
	if err := given.add(file); err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(must[[]byte](t)(given.publicKey()))
	public := must[any](t)(x509.ParsePKIXPublicKey(block.Bytes)).(*ecdsa.PublicKey)
	verified := func(content []byte, signature string) bool {
		of := sha256.Sum256(content)
		return ecdsa.VerifyASN1(public, of[:], must[[]byte](t)(base64.StdEncoding.DecodeString(signature)))
	}
	expect(t, "verified", verified([]byte("sums"), string(must[[]byte](t)(given.signature([]byte("sums"))))), true)
	expect(t, "verified with another content", verified([]byte("other"), string(must[[]byte](t)(given.signature([]byte("sums"))))), false)
	var envelope struct {
		PayloadType, Payload string
		Signatures           []struct{ Sig string }
	}
	if err := json.Unmarshal(must[[]byte](t)(given.envelope([]byte("{}"))), &envelope); err != nil {
		t.Fatal(err)
	}
	expect(t, "the statement", string(must[[]byte](t)(base64.StdEncoding.DecodeString(envelope.Payload))), "{}")
	expect(t, "verified as DSSE", verified([]byte("DSSEv1 28 application/vnd.in-toto+json 2 {}"), envelope.Signatures[0].Sig), true)
	if err := os.WriteFile(file, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, given.add(file), "neither a private key of OpenPGP")
}

func TestEveryDashboardCanBeUploaded(t *testing.T) {
	files := map[string][]byte{}
	if err := collect(files, "../../dashboards/generated", everything); err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no dashboards")
	}
	for name, content := range files {
		var board struct {
			Inputs     []struct{ Name, PluginID string } `json:"__inputs"`
			Requires   []struct{ Type, ID string }       `json:"__requires"`
			Templating struct {
				List []struct {
					Type    string
					Current struct{ Value any }
				}
			}
		}
		if err := json.Unmarshal(must[[]byte](t)(forGrafanaCom(content)), &board); err != nil {
			t.Fatal(name, err)
		}
		expect(t, name+": the input", board.Inputs[0].Name, "DS_PROMETHEUS")
		for _, variable := range board.Templating.List {
			if variable.Type == "datasource" {
				expect(t, name+": the data source", variable.Current.Value, any("${DS_PROMETHEUS}"))
			}
		}
		expect(t, name+": kinds of panels are named", len(board.Requires) > 2, true)
	}
	_, err := forGrafanaCom([]byte(`{"title": "Without"}`))
	refused(t, err, "Without has no variable")
}

func TestAPackageForHostsWithRpmHasTheSameBytes(t *testing.T) {
	files := tree{}
	files.file("etc/phasewise/canary.yml", 0o644, []byte("canary:"))
	files.file("usr/share/phasewise/phasewise-canary.jar", 0o644, []byte("jar"))
	once := must[[]byte](t)(hosts[0].rpm("0.2.0-rc.1", files, someTime))
	again := must[[]byte](t)(hosts[0].rpm("0.2.0-rc.1", files, someTime))
	expect(t, "the second package", sum(again), sum(once))
	expect(t, "its first bytes", string(once[:4]), "\xed\xab\xee\xdb")
}

// Without it --check-config refuses state-file before the first start.
func TestAPackageForHostsWithRpmHasTheDirectoryForState(t *testing.T) {
	files := tree{}
	files.directory("var", 0o755)
	files.directory("var/lib", 0o755)
	files.directory("var/lib/phasewise-canary", 0o755)
	files.directory("etc", 0o755)
	files.file("etc/phasewise/canary.yml", 0o644, []byte("canary:"))
	modes := payloadOf(t, must[[]byte](t)(hosts[0].rpm("0.2.0", files, someTime)))
	expect(t, "files and directories", len(modes), 2)
	expect(t, "the directory", fmt.Sprintf("%#o", modes["/var/lib/phasewise-canary"]), "040755")
	expect(t, "the file", fmt.Sprintf("%#o", modes["/etc/phasewise/canary.yml"]), "0100644")
}

// payloadOf reads the modes of what an rpm unpacks, by name: the last part of an rpm is a compressed cpio archive.
func payloadOf(t *testing.T, packed []byte) map[string]cpio.FileMode {
	t.Helper()
	at := bytes.LastIndex(packed, []byte{0x1f, 0x8b, 8})
	if at < 0 {
		t.Fatal("the package has no payload that gzip has compressed")
	}
	modes := map[string]cpio.FileMode{}
	archive := cpio.NewReader(must[*gzip.Reader](t)(gzip.NewReader(bytes.NewReader(packed[at:]))))
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return modes
		}
		if err != nil {
			t.Fatal(err)
		}
		modes[header.Name] = header.Mode
	}
}

func TestProvenanceNamesEveryFileTheCommitAndThePackages(t *testing.T) {
	made := release{version: "0.2.0", commit: "abc", source: "https://example.com/phasewise", programs: map[string]string{"java": "17"}}
	packages := must[[]debianPackage](t)(packagesFor(pinned, "amd64", []string{"libc6"}))
	var read statement
	if err := json.Unmarshal(must[[]byte](t)(made.provenanceOf(map[string]string{"b": "2", "a": "1"}, packages)), &read); err != nil {
		t.Fatal(err)
	}
	expect(t, "the type", read.Type, "https://in-toto.io/Statement/v1")
	expect(t, "the predicate", read.PredicateType, "https://slsa.dev/provenance/v1")
	expect(t, "the first file", read.Subject[0].Name+read.Subject[0].Digest["sha256"], "a1")
	sources := read.Predicate.BuildDefinition.ResolvedDependencies
	expect(t, "the commit", sources[0].Digest["gitCommit"], "abc")
	expect(t, "the package", sources[1].Digest["sha256"], packages[0].sha256)
}

func TestDigestsAreWhatSha256sumReads(t *testing.T) {
	expect(t, "SHA256SUMS", sumsOf(map[string]string{"b/c": "2", "a": "1"}), "1  a\n2  b/c\n")
}
