// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// tree is the content of a layer or an archive: files by their path, without a leading slash. What is written of it depends on nothing else: every file
// has one time, and belongs to root unless an owner is named.
type tree map[string]*node

type node struct {
	mode    int64
	owner   int
	link    string
	content []byte
	isDir   bool
}

func (t tree) file(name string, mode int64, content []byte) {
	t[name] = &node{mode: mode, content: content}
}

func (t tree) directory(name string, mode int64) { t[name] = &node{mode: mode, isDir: true} }

// owned is a directory that belongs to a user, and to the group of the same number.
func (t tree) owned(name string, mode int64, owner int) {
	t[name] = &node{mode: mode, owner: owner, isDir: true}
}

// isEmpty says that nothing is below a directory.
func (t tree) isEmpty(directory string) bool {
	for name := range t {
		if strings.HasPrefix(name, directory+"/") {
			return false
		}
	}
	return true
}

func (t tree) symlink(name, to string) { t[name] = &node{mode: 0o777, link: to} }

// unpack adds what a tar holds and keep wants. A hard link becomes a copy.
func (t tree) unpack(from io.Reader, keep func(name string) bool) error {
	archive := tar.NewReader(from)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path.Clean(header.Name), "./")
		if name == "." || !keep(name) {
			continue
		}
		switch header.Typeflag {
		case tar.TypeDir:
			t.directory(name, header.Mode)
		case tar.TypeSymlink:
			t.symlink(name, header.Linkname)
		case tar.TypeLink:
			to, has := t[strings.TrimPrefix(path.Clean(header.Linkname), "./")]
			if !has {
				return fmt.Errorf("%s: a link to %s, which is not there", name, header.Linkname)
			}
			t[name] = to
		case tar.TypeReg:
			content, err := io.ReadAll(archive)
			if err != nil {
				return err
			}
			t.file(name, header.Mode, content)
		default:
			return fmt.Errorf("%s: a file of type %q", name, header.Typeflag)
		}
	}
}

// read adds a directory of this machine, below a path.
func (t tree) read(directory, below string) error {
	return filepath.WalkDir(directory, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(directory, file)
		if err != nil {
			return err
		}
		name := path.Join(below, filepath.ToSlash(relative))
		if name == "." {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir():
			t.directory(name, 0o755)
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(file)
			if err != nil {
				return err
			}
			t.symlink(name, to)
		default:
			content, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			mode := int64(0o644)
			if info.Mode()&0o111 != 0 {
				mode = 0o755
			}
			t.file(name, mode, content)
		}
		return nil
	})
}

// tar writes the files in the order of their names, each directory before what is in it, even where nobody named it.
func (t tree) tar(to io.Writer, at time.Time) error {
	all := tree{}
	for name, file := range t {
		all[name] = file
		for up := path.Dir(name); up != "."; up = path.Dir(up) {
			if _, has := t[up]; !has {
				all[up] = &node{mode: 0o755, isDir: true}
			}
		}
	}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	archive := tar.NewWriter(to)
	for _, name := range names {
		file := all[name]
		header := &tar.Header{Name: name, Mode: file.mode, Uid: file.owner, Gid: file.owner, ModTime: at, Format: tar.FormatPAX, Typeflag: tar.TypeReg, Size: int64(len(file.content))}
		if file.isDir {
			header.Typeflag = tar.TypeDir
			header.Name += "/"
		} else if file.link != "" {
			header.Typeflag = tar.TypeSymlink
			header.Linkname = file.link
		}
		if err := archive.WriteHeader(header); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := archive.Write(file.content); err != nil {
			return err
		}
	}
	return archive.Close()
}

// tarGz is a compressed tar with the same bytes each time.
func (t tree) tarGz(at time.Time) ([]byte, error) {
	var plain bytes.Buffer
	if err := t.tar(&plain, at); err != nil {
		return nil, err
	}
	return zipped(plain.Bytes())
}

func zipped(plain []byte) ([]byte, error) {
	var small bytes.Buffer
	writer := gzip.NewWriter(&small)
	if _, err := writer.Write(plain); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return small.Bytes(), nil
}
