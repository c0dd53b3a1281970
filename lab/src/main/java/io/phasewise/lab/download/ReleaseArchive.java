/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.download;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Unpacks a release: a tar archive, compressed with gzip, all of which lies in one directory.
 * Nothing is written outside of where it goes, over another file, or through a link. Only files are
 * taken, with nothing of their attributes but whether they can be executed.
 */
public final class ReleaseArchive {

    private static final int BLOCK = 512;
    private static final int MOST_NAME = 1 << 16;
    private static final int OCTAL = 8;
    private static final int ANY_EXECUTE = 0111;

    private ReleaseArchive() {}

    /**
     * Unpacks without the directory that all of it lies in.
     *
     * @param into an empty directory
     * @param most bytes that all files together may have
     * @throws IOException when it cannot be read or written, is larger, or holds a name that leads
     *     out of the directory; what was unpacked until then stays
     */
    public static void unpack(Path archive, Path into, long most) throws IOException {
        try (InputStream in = new BufferedInputStream(new GZIPInputStream(Files.newInputStream(archive), 1 << 16))) {
            byte[] header = new byte[BLOCK];
            Optional<String> longName = Optional.empty();
            long left = most;
            while (in.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
                long size = number(header, 124, 12);
                char type = (char) header[156];
                if (type == 'L' || type == 'x') {
                    byte[] content = content(in, size);
                    longName = type == 'L' ? Optional.of(text(content, 0, content.length)) : path(content);
                    continue;
                }
                String name = longName.orElseGet(() -> name(header));
                longName = Optional.empty();
                if (type != '0' && type != 0) {
                    in.skipNBytes(padded(size));
                    continue;
                }
                left -= size;
                if (left < 0) {
                    throw new IOException("%s holds more than %d bytes".formatted(archive.getFileName(), most));
                }
                boolean executable = (number(header, 100, 8) & ANY_EXECUTE) != 0;
                write(in, size, place(into, name), executable);
                in.skipNBytes(padded(size) - size);
            }
        }
    }

    private static void write(InputStream in, long size, Path file, boolean executable) throws IOException {
        Files.createDirectories(file.getParent());
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            byte[] buffer = new byte[1 << 16];
            long left = size;
            while (left > 0) {
                int read = in.readNBytes(buffer, 0, (int) Math.min(left, buffer.length));
                if (read == 0) {
                    throw new EOFException("the archive ends in the middle of " + file.getFileName());
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }

    /** Below the directory, without the first part of its name. */
    private static Path place(Path into, String name) throws IOException {
        List<String> parts = Arrays.stream(name.split("/"))
                .filter(part -> !part.isEmpty() && !part.equals("."))
                .toList();
        if (name.startsWith("/") || parts.contains("..") || parts.size() < 2 || name.indexOf('\0') >= 0) {
            throw new IOException("the archive has a file of the name " + name);
        }
        return into.resolve(String.join("/", parts.subList(1, parts.size())));
    }

    /** As POSIX and as GNU write it; only POSIX has the beginning of a longer one apart. */
    private static String name(byte[] header) {
        String name = text(header, 0, 100);
        boolean posix = text(header, 257, 6).equals("ustar");
        String beginning = posix ? text(header, 345, 155) : "";
        return beginning.isEmpty() ? name : beginning + "/" + name;
    }

    /** The name in an extended header of POSIX: lines of length, key and value. */
    private static Optional<String> path(byte[] content) throws IOException {
        try {
            for (int at = 0; at < content.length; ) {
                int space = at;
                while (content[space] != ' ') {
                    space++;
                }
                int length = Integer.parseInt(text(content, at, space - at));
                String line = text(content, space + 1, at + length - space - 2);
                if (line.startsWith("path=")) {
                    return Optional.of(line.substring("path=".length()));
                }
                at += length;
            }
            return Optional.empty();
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new IOException("this is no tar archive", e);
        }
    }

    private static byte[] content(InputStream in, long size) throws IOException {
        if (size > MOST_NAME) {
            throw new IOException("the archive has a name of " + size + " bytes");
        }
        byte[] content = in.readNBytes((int) size);
        in.skipNBytes(padded(size) - size);
        return content;
    }

    private static long padded(long size) {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }

    private static long number(byte[] header, int from, int length) throws IOException {
        String digits = text(header, from, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseUnsignedLong(digits, OCTAL);
        } catch (NumberFormatException e) {
            throw new IOException("this is no tar archive", e);
        }
    }

    private static String text(byte[] bytes, int from, int length) {
        int end = from;
        while (end < from + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }
}
