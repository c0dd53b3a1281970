// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// The media types of the image specification 1.1, and those of Helm's charts.
const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
	typeHelm     = "application/vnd.cncf.helm.config.v1+json"
	typeChart    = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
)

// descriptor is how one blob of a layout names another.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        descriptor        `json:"config"`
	Layers        []descriptor      `json:"layers"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

type index struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Manifests     []descriptor      `json:"manifests"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

// imageConfig is the configuration of an image of one architecture.
type imageConfig struct {
	Created      string  `json:"created"`
	Architecture string  `json:"architecture"`
	OS           string  `json:"os"`
	Config       running `json:"config"`
	RootFS       rootFS  `json:"rootfs"`
	History      []step  `json:"history"`
}

// running is what an engine starts.
type running struct {
	User         string              `json:"User,omitempty"`
	ExposedPorts map[string]struct{} `json:"ExposedPorts,omitempty"`
	Env          []string            `json:"Env,omitempty"`
	Entrypoint   []string            `json:"Entrypoint,omitempty"`
	Cmd          []string            `json:"Cmd,omitempty"`
	Labels       map[string]string   `json:"Labels,omitempty"`
	StopSignal   string              `json:"StopSignal,omitempty"`
}

type rootFS struct {
	Type    string   `json:"type"`
	DiffIDs []string `json:"diff_ids"`
}

type step struct {
	Created   string `json:"created,omitempty"`
	CreatedBy string `json:"created_by"`
}

// layer is a part of an image's file system.
type layer struct {
	descriptor descriptor
	diffID     string
	madeBy     string
	small      []byte
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// layerOf packs files as a layer.
func layerOf(files tree, madeBy string, at time.Time) (layer, error) {
	var plain bytes.Buffer
	if err := files.tar(&plain, at); err != nil {
		return layer{}, err
	}
	small, err := zipped(plain.Bytes())
	return layer{
		descriptor: descriptor{MediaType: typeLayer, Digest: digest(small), Size: len(small)},
		diffID:     digest(plain.Bytes()), madeBy: madeBy, small: small,
	}, err
}

// layout is a directory of blobs as the image specification has it; in one file, as skopeo, podman and containerd read it.
type layout struct {
	files tree
}

func newLayout() *layout {
	made := &layout{files: tree{}}
	made.files.file("oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`))
	return made
}

func (l *layout) blob(mediaType string, content []byte) descriptor {
	of := digest(content)
	l.files.file("blobs/sha256/"+strings.TrimPrefix(of, "sha256:"), 0o644, content)
	return descriptor{MediaType: mediaType, Digest: of, Size: len(content)}
}

func (l *layout) json(mediaType string, content any) (descriptor, error) {
	text, err := json.Marshal(content)
	return l.blob(mediaType, text), err
}

// image adds the manifest of one architecture.
func (l *layout) image(architecture string, run running, layers []layer, at time.Time) (descriptor, error) {
	created := at.UTC().Format(time.RFC3339)
	config := imageConfig{Created: created, Architecture: architecture, OS: "linux", Config: run, RootFS: rootFS{Type: "layers"}}
	made := manifest{SchemaVersion: 2, MediaType: typeManifest, Annotations: run.Labels}
	for _, each := range layers {
		l.blob(each.descriptor.MediaType, each.small)
		config.RootFS.DiffIDs = append(config.RootFS.DiffIDs, each.diffID)
		config.History = append(config.History, step{Created: created, CreatedBy: each.madeBy})
		made.Layers = append(made.Layers, each.descriptor)
	}
	var err error
	if made.Config, err = l.json(typeConfig, config); err != nil {
		return descriptor{}, err
	}
	of, err := l.json(typeManifest, made)
	of.Platform = &platform{Architecture: architecture, OS: "linux"}
	return of, err
}

// chart adds a packed chart as `helm push` stores it.
func (l *layout) chart(metadata, packed []byte, annotations map[string]string) (descriptor, error) {
	config := l.blob(typeHelm, metadata)
	content := l.blob(typeChart, packed)
	return l.json(typeManifest, manifest{SchemaVersion: 2, MediaType: typeManifest, Config: config, Layers: []descriptor{content}, Annotations: annotations})
}

// write names what the layout holds by a tag and a name, and writes it as one tar.
func (l *layout) write(to, name, tag string, of descriptor, at time.Time) error {
	of.Annotations = map[string]string{
		"org.opencontainers.image.ref.name": tag,
		// What containerd calls it once it is imported.
		"io.containerd.image.name": name + ":" + tag,
	}
	text, err := json.Marshal(index{SchemaVersion: 2, MediaType: typeIndex, Manifests: []descriptor{of}})
	if err != nil {
		return err
	}
	l.files.file("index.json", 0o644, text)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := l.files.tar(file, at); err != nil {
		return err
	}
	return file.Close()
}

// readLayout reads a layout, a directory or a tar.
func readLayout(from string) (*layout, error) {
	info, err := os.Stat(from)
	if err != nil {
		return nil, err
	}
	read := &layout{files: tree{}}
	if info.IsDir() {
		return read, read.files.read(from, "")
	}
	file, err := os.Open(from)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return read, read.files.unpack(file, func(string) bool { return true })
}

func (l *layout) get(of descriptor, into any) error {
	file, has := l.files[path.Join("blobs", strings.ReplaceAll(of.Digest, ":", "/"))]
	if !has {
		return fmt.Errorf("no blob %s", of.Digest)
	}
	if digest(file.content) != of.Digest {
		return fmt.Errorf("blob %s has another content", of.Digest)
	}
	return json.Unmarshal(file.content, into)
}

// layersOf are the layers of an architecture of the only image of a layout.
func (l *layout) layersOf(architecture string) ([]layer, error) {
	top, has := l.files["index.json"]
	if !has {
		return nil, fmt.Errorf("it has no index.json")
	}
	var open index
	if err := json.Unmarshal(top.content, &open); err != nil {
		return nil, err
	}
	for len(open.Manifests) > 0 {
		next := open.Manifests[0]
		open.Manifests = open.Manifests[1:]
		switch next.MediaType {
		case typeIndex:
			var nested index
			if err := l.get(next, &nested); err != nil {
				return nil, err
			}
			open.Manifests = append(open.Manifests, nested.Manifests...)
		case typeManifest:
			var found manifest
			var config imageConfig
			if err := l.get(next, &found); err != nil {
				return nil, err
			}
			if err := l.get(found.Config, &config); err != nil {
				return nil, err
			}
			if config.Architecture != architecture {
				continue
			}
			if len(found.Layers) != len(config.RootFS.DiffIDs) {
				return nil, fmt.Errorf("its manifest for %s has %d layers, its configuration %d", architecture, len(found.Layers), len(config.RootFS.DiffIDs))
			}
			var layers []layer
			for number, each := range found.Layers {
				blob, has := l.files[path.Join("blobs", strings.ReplaceAll(each.Digest, ":", "/"))]
				if !has {
					return nil, fmt.Errorf("no blob %s", each.Digest)
				}
				layers = append(layers, layer{descriptor: each, diffID: config.RootFS.DiffIDs[number], madeBy: "the base that was given", small: blob.content})
			}
			return layers, nil
		}
	}
	return nil, fmt.Errorf("it has no image for %s", architecture)
}
