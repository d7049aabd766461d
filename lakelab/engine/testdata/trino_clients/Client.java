import java.nio.file.*;
import java.sql.*;
import java.util.*;

/**
 * Runs statements through Trino's JDBC driver and prints what a program sees: java -cp trino-jdbc.jar Client.java URL types.sql
 *
 * Client.java suite FILE URL … runs each file's statements, one on a line, in one session at its address.
 * Client.java connect URL USER PASSWORD SQL runs a statement at a JDBC URL.
 * Client.java big URL SQL reads a big result whose first column is a number: how many rows, and their sum.
 */
class Client {
    static Connection connection;

    static void connect(String url, String schema) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", "suite");
        properties.setProperty("source", "suite");
        properties.setProperty("timezone", "UTC");
        connection = DriverManager.getConnection("jdbc:trino://" + url.replace("http://", "") + "/lakehouse/" + schema, properties);
    }

    public static void main(String[] args) throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        System.setOut(new java.io.PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, "UTF-8"));
        if (args[0].equals("suite")) {
            for (int i = 1; i < args.length; i += 2) {
                System.out.println("## " + Path.of(args[i]).getFileName());
                connect(args[i + 1], "suite");
                for (var line : Files.readAllLines(Path.of(args[i]))) {
                    show(line);
                }
                connection.close();
            }
            return;
        }
        if (args[0].equals("connect")) {
            var properties = new Properties();
            properties.setProperty("user", args[2]);
            if (!args[3].isEmpty()) {
                properties.setProperty("password", args[3]);
            }
            connection = DriverManager.getConnection(args[1], properties);
            show(args[4]);
            return;
        }
        if (args[0].equals("big")) {
            connect(args[1], "load");
            long rows = 0, ids = 0;
            try (var s = connection.createStatement(); var r = s.executeQuery(args[2])) {
                for (; r.next(); rows++) {
                    ids += r.getLong(1);
                }
            }
            System.out.println(rows + " rows, ids " + ids);
            connection.close();
            return;
        }
        connect(args[0], "clients");
        for (var line : Files.readAllLines(Path.of(args[1]))) {
            show(line);
        }
        show("CREATE TABLE jdbc (id bigint NOT NULL, name varchar COMMENT 'the name', price decimal(10, 2), at timestamp(6) with time zone)");
        show("INSERT INTO jdbc VALUES (1, 'a', 1.5, NULL), (2, NULL, NULL, TIMESTAMP '2024-01-01 00:00:00 UTC')");
        try (var p = connection.prepareStatement("SELECT id, name FROM jdbc WHERE id = ? OR name = ? OR price > ?")) {
            System.out.println("parameters " + p.getParameterMetaData().getParameterCount());
            p.setLong(1, 2);
            p.setString(2, "it's");
            p.setBigDecimal(3, new java.math.BigDecimal("0.50"));
            print(p.executeQuery());
        }
        try (var p = connection.prepareStatement("INSERT INTO jdbc VALUES (?, ?, ?, ?)")) {
            p.setLong(1, 3);
            p.setNull(2, Types.VARCHAR);
            p.setBigDecimal(3, null);
            p.setTimestamp(4, null);
            System.out.println("inserted " + p.executeUpdate());
        }
        show("UPDATE jdbc SET name = 'b' WHERE id >= 2");
        show("DELETE FROM jdbc WHERE id = 3");
        show("SELECT nosuch FROM jdbc");
        show("SELECT 1/0");
        var m = connection.getMetaData();
        System.out.println("product " + m.getDatabaseProductName());
        System.out.println("catalogs");
        print(m.getCatalogs());
        System.out.println("schemas");
        print(m.getSchemas("lakehouse", "clients"));
        System.out.println("tables");
        print(m.getTables("lakehouse", "clients", null, null));
        System.out.println("columns");
        print(m.getColumns("lakehouse", "clients", "jdbc", null));
        System.out.println("table types");
        print(m.getTableTypes());
        System.out.println("types");
        sorted(m.getTypeInfo());
        connection.setAutoCommit(false);
        show("SELECT count(*) FROM jdbc");
        connection.commit();
        connection.setAutoCommit(true);
        show("SET SESSION query_max_run_time = '5m'");
        show("USE lakehouse.information_schema");
        show("SELECT table_name FROM tables WHERE table_schema = 'clients'");
        connection.setSchema("clients");
        show("CREATE TABLE jdbc_big AS SELECT x FROM UNNEST(sequence(1, 10000)) t(x)");
        try (var s = connection.createStatement()) {
            new Thread(() -> {
                try {
                    Thread.sleep(1000);
                    s.cancel();
                } catch (Exception e) {
                    System.out.println(e);
                }
            }).start();
            s.executeQuery("SELECT count(*) FROM jdbc_big a, jdbc_big b, jdbc_big c WHERE a.x * b.x % (c.x + 1) = 7").next();
            System.out.println("not cancelled");
        } catch (SQLException e) {
            System.out.println("cancelled");
        }
        show("DROP TABLE jdbc");
        show("DROP TABLE jdbc_big");
        connection.close();
    }

    static void show(String sql) {
        System.out.println(sql);
        try (var s = connection.createStatement()) {
            if (s.execute(sql)) {
                print(s.getResultSet());
            } else {
                System.out.println("   updated " + s.getUpdateCount());
            }
        } catch (SQLException e) {
            System.out.println("   error " + e.getErrorCode() + " " + e.getMessage().replaceAll("\\(#[0-9_a-z]+\\)", ""));
        }
    }

    static void sorted(ResultSet r) throws SQLException {
        var rows = new TreeSet<String>();
        while (r.next()) {
            rows.add(r.getString(1) + " " + r.getInt(2) + " " + r.getString(3));
        }
        rows.forEach(row -> System.out.println("   " + row));
    }

    static void print(ResultSet r) throws SQLException {
        var m = r.getMetaData();
        var line = new StringBuilder("   columns");
        for (int i = 1; i <= m.getColumnCount(); i++) {
            line.append(" | ").append(m.getColumnLabel(i)).append(' ').append(m.getColumnTypeName(i)).append(' ').append(m.getColumnType(i))
                .append(' ').append(m.getPrecision(i)).append(' ').append(m.getScale(i)).append(' ').append(m.getColumnDisplaySize(i)).append(' ').append(m.getColumnClassName(i));
        }
        boolean more = r.next(); // an error comes with the columns or after them
        System.out.println(line);
        for (; more; more = r.next()) {
            line = new StringBuilder("  ");
            for (int i = 1; i <= m.getColumnCount(); i++) {
                line.append(" | ");
                try {
                    line.append(text(r.getObject(i)));
                } catch (Exception e) {
                    line.append("throws ").append(e.getMessage());
                }
            }
            System.out.println(line);
        }
    }

    static String text(Object x) throws SQLException {
        if (x instanceof byte[] b) {
            return HexFormat.of().formatHex(b);
        }
        if (x instanceof java.sql.Array a) {
            return a.getBaseTypeName() + Arrays.deepToString((Object[]) a.getArray());
        }
        if (x instanceof java.util.Map<?, ?> m) { // bytes in it have a text of their own, which is not their address
            var entries = new java.util.ArrayList<String>();
            for (var e : m.entrySet()) {
                entries.add(text(e.getKey()) + "=" + text(e.getValue()));
            }
            return "{" + String.join(", ", entries) + "}";
        }
        return String.valueOf(x);
    }
}
