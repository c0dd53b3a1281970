/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.auth.BasicAuth;
import io.phasewise.common.auth.PasswordFile;
import io.phasewise.common.cli.OptionCheck;
import io.phasewise.common.cli.UsageException;
import io.phasewise.common.file.FileSource;
import io.phasewise.common.file.UnusableFileException;
import io.phasewise.common.progress.Screen;
import io.phasewise.common.tls.ServerTls;
import io.phasewise.common.tls.TlsSource;
import io.phasewise.lab.receiver.Notification;
import io.phasewise.lab.receiver.NotificationLines;
import io.phasewise.lab.receiver.ReceiverServer;
import io.phasewise.lab.stack.Context;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code receiver}: runs the notification receiver in the foreground. */
@Command(name = "receiver")
final class ReceiverCommand implements Callable<Integer> {

    private final Context context;

    @Option(names = "--host", defaultValue = "127.0.0.1")
    private String host;

    @Option(names = "--port", defaultValue = "9095")
    private int port;

    @Option(names = "--tls", paramLabel = "FILE")
    private Path tls;

    @Option(names = "--user", paramLabel = "NAME")
    private String user;

    @Option(names = "--password-file", paramLabel = "FILE")
    private Path passwordFile;

    @Option(names = "--runbooks", paramLabel = "DIRECTORY")
    private Path runbooks;

    ReceiverCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        new OptionCheck().within("--port", port, 0, 65_535).done();
        if (runbooks != null && !Files.isDirectory(runbooks)) {
            throw new UsageException("--runbooks: '" + runbooks + "' is not a directory");
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new UsageException("--host: '" + host + "' is not an address of this machine");
        }
        // Otherwise the JDK's HTTP server delays small answers.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("jdk.httpserver.maxConnections", "100");
        Screen screen = context.screen();
        NotificationLines lines = new NotificationLines(screen.terminal(), context.zone());
        ReceiverServer.Access access = access();
        Consumer<Notification> listener = notification -> lines.of(notification).forEach(screen::print);
        try (ReceiverServer server =
                new ReceiverServer(address, access, Optional.ofNullable(runbooks), context.clock(), listener)) {
            String scheme = access.tls().isEmpty() ? "http" : "https";
            screen.print("Waiting for notifications on " + scheme + "://" + host + ":" + server.port());
            new CountDownLatch(1).await();
            return 0;
        } catch (InterruptedException asked) {
            return 0;
        }
    }

    private ReceiverServer.Access access() {
        if (tls == null && user == null && passwordFile == null) {
            return ReceiverServer.Access.OPEN;
        }
        if (tls == null || user == null || passwordFile == null) {
            throw new UsageException("--tls, --user, --password-file: all three or none are allowed");
        }
        if (user.isEmpty() || user.contains(":")) {
            throw new UsageException("--user: a name without a colon is allowed");
        }
        PasswordFile password = new PasswordFile(user, passwordFile);
        ServerTls certificate = read("--tls", tls, TlsSource.pem(tls, tls));
        BasicAuth login = read("--password-file", passwordFile, password);
        return new ReceiverServer.Access(Optional.of(() -> certificate), Optional.of(() -> login));
    }

    private static <T> T read(String option, Path file, FileSource<T> source) {
        try {
            return source.read();
        } catch (UnusableFileException e) {
            throw new UsageException(option + ": " + file + " " + e.getMessage());
        }
    }
}
