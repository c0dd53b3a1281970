// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// module is what becomes a jar of the release. Its jar holds all that it needs.
type module struct {
	name, title, description string
	// Directories whose classes are in the jar and are ours.
	sources []string
}

var modules = []module{
	{"canary", "Phasewise: canary", "Measures the latency of Kafka clusters, end to end and by phase", []string{"canary", "common", "common/kafka"}},
	{"exporter", "Phasewise: broker exporter", "An agent that has a Kafka broker answer Prometheus, with the time of each request by phase", []string{"exporter", "common"}},
	{"tools", "Phasewise: tools", "What is done to clusters in production, and the capacity review", []string{"tools", "common", "common/kafka"}},
}

// project is a POM with what Maven Central asks for. The jar holds its libraries, so there are no dependencies.
type project struct {
	XMLName      xml.Name    `xml:"http://maven.apache.org/POM/4.0.0 project"`
	ModelVersion string      `xml:"modelVersion"`
	GroupID      string      `xml:"groupId"`
	ArtifactID   string      `xml:"artifactId"`
	Version      string      `xml:"version"`
	Name         string      `xml:"name"`
	Description  string      `xml:"description"`
	URL          string      `xml:"url"`
	Licenses     []license   `xml:"licenses>license"`
	Developers   []developer `xml:"developers>developer"`
	SCM          *scm        `xml:"scm"`
}

type license struct {
	Name         string `xml:"name"`
	URL          string `xml:"url"`
	Distribution string `xml:"distribution"`
}

type developer struct {
	Name string `xml:"name"`
}

type scm struct {
	Connection string `xml:"connection"`
	URL        string `xml:"url"`
	Tag        string `xml:"tag"`
}

const home = "https://phasewise.io"

func (m module) pom(version, source string) ([]byte, error) {
	made := project{
		ModelVersion: "4.0.0", GroupID: "io.phasewise", ArtifactID: "phasewise-" + m.name, Version: version, Name: m.title, Description: m.description,
		URL:        home,
		Licenses:   []license{{"Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0.txt", "repo"}},
		Developers: []developer{{"The Phasewise Authors"}},
	}
	if source != "" {
		made.SCM = &scm{"scm:git:" + source, source, "v" + version}
	}
	text, err := xml.MarshalIndent(made, "", "  ")
	return append(append([]byte(xml.Header), text...), '\n'), err
}

// jarOf packs files in the order of their names.
func jarOf(files map[string][]byte, at time.Time) ([]byte, error) {
	var made bytes.Buffer
	archive := zip.NewWriter(&made)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		to, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at.UTC()})
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return made.Bytes(), nil
}

// collect adds the files of a directory that are wanted, by their path in it.
func collect(into map[string][]byte, directory string, wanted func(string) bool) error {
	return filepath.WalkDir(directory, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(directory, file)
		if err != nil || !wanted(filepath.ToSlash(name)) {
			return err
		}
		into[filepath.ToSlash(name)], err = os.ReadFile(file)
		return err
	})
}

func everything(string) bool { return true }

func (m module) sourcesJar(root string, at time.Time) ([]byte, error) {
	files := map[string][]byte{}
	for _, each := range m.sources {
		for _, kind := range []string{"java", "resources"} {
			directory := filepath.Join(root, each, "src/main", kind)
			if _, err := os.Stat(directory); err != nil {
				continue
			}
			if err := collect(files, directory, everything); err != nil {
				return nil, err
			}
		}
	}
	return jarOf(files, at)
}

// javadocJar has the documentation of the module's own classes.
func (m module) javadocJar(root, javadoc string, at time.Time) ([]byte, error) {
	classPath, err := os.ReadFile(filepath.Join(root, m.name, classPathFile))
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "phasewise-javadoc")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	sources := map[string][]byte{}
	directory := filepath.Join(root, m.sources[0], "src/main/java")
	if err := collect(sources, directory, func(name string) bool { return strings.HasSuffix(name, ".java") }); err != nil {
		return nil, err
	}
	var list strings.Builder
	names := make([]string, 0, len(sources))
	for name := range sources {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&list, "%q\n", filepath.Join(directory, name))
	}
	arguments := filepath.Join(work, "sources")
	if err := os.WriteFile(arguments, []byte(list.String()), 0o644); err != nil {
		return nil, err
	}
	to := filepath.Join(work, "javadoc")
	err = run(root, nil, javadoc, "-quiet", "-notimestamp", "-noindex", "-package", "-Xdoclint:none", "-encoding", "UTF-8", "-docencoding", "UTF-8",
		"-windowtitle", m.title, "-classpath", strings.TrimSpace(string(classPath)), "-d", to, "@"+arguments)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if err := collect(files, to, everything); err != nil {
		return nil, err
	}
	return jarOf(files, at)
}

// Where Maven writes, in each module, what its classes are compiled against.
const classPathFile = "target/class-path"

// checkLicences says which library of a jar has no licence text in it. The bill says which libraries there are and what their licences are.
func checkLicences(jar []byte, libraries []component) error {
	archive, err := zip.NewReader(bytes.NewReader(jar), int64(len(jar)))
	if err != nil {
		return err
	}
	texts := map[string]string{}
	for _, file := range archive.File {
		if strings.HasPrefix(file.Name, "META-INF/") && !file.FileInfo().IsDir() {
			if strings.HasPrefix(file.Name, "META-INF/licenses/") || file.Name == "META-INF/LICENSE" {
				in, err := file.Open()
				if err != nil {
					return err
				}
				text, err := io.ReadAll(in)
				if err != nil {
					return err
				}
				texts[file.Name] = string(text)
			}
		}
	}
	if !strings.Contains(texts["META-INF/LICENSE"], "Apache License") {
		return fmt.Errorf("META-INF/LICENSE is not there, or is another licence than Apache-2.0")
	}
	var lacking []string
	for _, library := range libraries {
		if library.isApache() {
			continue
		}
		if _, has := texts["META-INF/licenses/"+licenceFile(library.Name)]; !has {
			lacking = append(lacking, fmt.Sprintf("%s (%s)", library.Name, strings.Join(library.licences(), ", ")))
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("no text below META-INF/licenses for: %s", strings.Join(lacking, "; "))
	}
	return nil
}

// licenceFile is the file of a library's licence in the jars that hold it: libraries of one project share one.
func licenceFile(library string) string {
	switch {
	case library == "asm":
		return "ASM"
	case strings.HasPrefix(library, "protobuf"):
		return "protobuf"
	case strings.HasPrefix(library, "logback"):
		return "logback"
	case strings.HasPrefix(library, "slf4j"):
		return "slf4j"
	}
	return library
}

// centralBundle is what the portal of Maven Central takes: files in a repository's places, each with its signature and the digests that are asked for.
func centralBundle(files map[string][]byte, version string, at time.Time) ([]byte, error) {
	placed := map[string][]byte{}
	for name, content := range files {
		artifact := strings.SplitN(name, "-"+version, 2)[0]
		place := "io/phasewise/" + artifact + "/" + version + "/" + name
		placed[place] = content
		if strings.HasSuffix(name, ".asc") {
			continue
		}
		if _, has := files[name+".asc"]; !has {
			return nil, fmt.Errorf("%s has no signature", name)
		}
		weak, weaker := sha1.Sum(content), md5.Sum(content)
		placed[place+".sha1"] = []byte(hex.EncodeToString(weak[:]))
		placed[place+".md5"] = []byte(hex.EncodeToString(weaker[:]))
	}
	return jarOf(placed, at)
}
