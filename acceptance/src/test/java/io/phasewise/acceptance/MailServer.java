/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Takes mail from one client at a time and keeps the last: as much of SMTP (RFC 5321) and MIME (RFC
 * 2045) as Alertmanager speaks.
 */
final class MailServer implements AutoCloseable {

    private final ServerSocket socket;
    private final AtomicReference<Mail> last = new AtomicReference<>();

    private MailServer(ServerSocket socket) {
        this.socket = socket;
    }

    /** One mail with who sent it. */
    record Mail(String user, String password, String content) {

        String subject() {
            String line = find("(?m)^Subject: (.*(?:\n[ \t].*)*)$").orElse("");
            String words =
                    Pattern.compile("=\\?utf-8\\?q\\?(.*?)\\?=")
                            .matcher(line)
                            .results()
                            .map(word -> decode(word.group(1).replace('_', ' ')))
                            .collect(Collectors.joining());
            return words.isEmpty() ? line : words;
        }

        /** The decoded text of the part of this type. */
        String part(String type) {
            String part =
                    find("(?s)Content-Type: " + type + ".*?\n\n(.*?)\n--")
                            .orElseThrow(() -> new AssertionError("no " + type + " in " + content));
            return decode(part.replace("=\n", ""));
        }

        private Optional<String> find(String pattern) {
            Matcher matcher = Pattern.compile(pattern).matcher(content);
            return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        }

        /** Quoted-printable is the encoding of URLs by another sign. */
        private static String decode(String text) {
            String encoded = text.replace("%", "=25").replace("+", "=2B").replace('=', '%');
            return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        }
    }

    static MailServer start() throws IOException {
        MailServer server =
                new MailServer(new ServerSocket(0, 10, InetAddress.getLoopbackAddress()));
        Thread thread = new Thread(server::serve, "mail");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    int port() {
        return socket.getLocalPort();
    }

    Optional<Mail> last() {
        return Optional.ofNullable(last.get());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                talk(client);
            } catch (IOException gone) {
                continue;
            }
        }
    }

    private void talk(Socket client) throws IOException {
        BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
        OutputStream out = client.getOutputStream();
        String[] credentials = {"", "", ""};
        say(out, "220 here");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String verb = line.split(" ", 2)[0].toUpperCase();
            switch (verb) {
                case "EHLO" -> say(out, "250-here\r\n250 AUTH PLAIN");
                case "AUTH" -> {
                    credentials =
                            new String(
                                            Base64.getDecoder().decode(line.split(" ")[2]),
                                            StandardCharsets.UTF_8)
                                    .split("\0");
                    say(out, "235 known");
                }
                case "DATA" -> {
                    say(out, "354 go on");
                    StringBuilder content = new StringBuilder();
                    for (String text = in.readLine(); !text.equals("."); text = in.readLine()) {
                        content.append(text.startsWith(".") ? text.substring(1) : text)
                                .append('\n');
                    }
                    last.set(new Mail(credentials[1], credentials[2], content.toString()));
                    say(out, "250 taken");
                }
                case "QUIT" -> {
                    say(out, "221 bye");
                    return;
                }
                default -> say(out, "250 ok");
            }
        }
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}
