package errclass

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"mini-lakehouse-lab/lakelab/types"
)

// Errors of reading and writing plain files in partitions.

// ConflictingFolders are partitions that begin in different folders.
func ConflictingFolders(bases []string) *Error {
	var list strings.Builder
	for _, b := range bases {
		list.WriteString("\n\tfile:" + b)
	}
	return &Error{Exception: "SparkRuntimeException", Class: "CONFLICTING_DIRECTORY_STRUCTURES", SQLState: "KD009",
		Message: "Conflicting directory structures detected.\nSuspicious paths:\n" + list.String() + "\n\nIf provided paths are partition directories, please set \"basePath\" in the options of the data source to specify the root directory of the table.\nIf there are multiple root directories, please load them separately and then union them.",
		Params:  map[string]string{"discoveredBasePaths": list.String()}}
}

// ConflictingPartitionColumns are folders whose partitions have different columns: lists of names, and the folders of each.
func ConflictingPartitionColumns(lists []string, folders map[string][]string) *Error {
	var names, suspicious strings.Builder
	for i, l := range lists {
		names.WriteString("\n\tPartition column name list #" + strconv.Itoa(i) + ": " + l)
		for _, f := range folders[l] {
			suspicious.WriteString("\n\tfile:" + f)
		}
	}
	return &Error{Exception: "SparkRuntimeException", Class: "CONFLICTING_PARTITION_COLUMN_NAMES", SQLState: "KD009",
		Message: "Conflicting partition column names detected:\n" + names.String() + "\n\nFor partitioned table directories, data files should only live in leaf directories.\nAnd directories at the same level should have the same partition column name.\nPlease check the following directories for unexpected files or inconsistent partition column names:\n" + suspicious.String(),
		Params:  map[string]string{"distinctPartColLists": names.String(), "suspiciousPaths": suspicious.String()}}
}

// PartitionValue is a partition's value that does not fit the type that the schema gives its column.
func PartitionValue(value string, f types.Field) *Error {
	return &Error{Exception: "SparkRuntimeException", Class: "INVALID_PARTITION_VALUE", SQLState: "42846",
		Message: "Failed to cast value '" + value + "' to data type \"" + f.Type.SQL() + "\" for partition column " + types.Quote(f.Name) + ". Ensure the value matches the expected data type for this partition column.",
		Params:  map[string]string{"value": "'" + value + "'", "dataType": `"` + f.Type.SQL() + `"`, "columnName": types.Quote(f.Name)}}
}

// CannotMergeSchemas are two files whose columns have different types.
func CannotMergeSchemas(left, right, a, b types.Type) *Error {
	return &Error{Exception: "SparkException", Class: "CANNOT_MERGE_SCHEMAS", SQLState: "42KD9",
		Message: "Failed merging schemas:\nInitial schema:\n\"" + left.SQL() + "\"\nSchema that cannot be merged with the initial schema:\n\"" + right.SQL() + "\".",
		Params:  map[string]string{"left": left.SQL(), "right": right.SQL()},
		Cause: &Error{Exception: "SparkException", Class: "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE", SQLState: "42825",
			Message: "Failed to merge incompatible data types \"" + a.SQL() + "\" and \"" + b.SQL() + "\". Please check the data types of the columns being merged and ensure that they are compatible. If necessary, consider casting the columns to compatible data types before attempting the merge."}}
}

// PathProtected refuses to move or delete a root of the session, or a file of the engine's own.
func PathProtected(path string) *Error {
	return &Error{Exception: "SecurityException", Message: "Changing " + path + " is not allowed: it is a root folder or belongs to the engine.",
		Hint: "Удалять и переносить можно то, что лежит внутри папки ноутбука или lakehouse, кроме служебных файлов движка."}
}

// PathOfTable refuses to replace a folder in which the files of an Iceberg table lie.
func PathOfTable(path, table string) *Error {
	return &Error{Exception: "SecurityException", Message: "Replacing " + path + " is not allowed: the files of an Iceberg table lie in " + table + ".",
		Hint: "Данные таблицы меняют через её имя: INSERT OVERWRITE, DROP TABLE; для файлов возьмите другую папку."}
}

// PartitionWithoutColumns is CREATE TABLE … PARTITIONED BY that leaves the columns to be found in files.
func PartitionWithoutColumns() *Error {
	return analysis("SPECIFY_PARTITION_IS_NOT_ALLOWED", "42601", "A CREATE TABLE without explicit column list cannot specify PARTITIONED BY.\nPlease use the form with explicit column list and specify PARTITIONED BY.\nAlternatively, allow partitioning to be inferred by omitting the PARTITION BY clause.", nil)
}

// PathLoop is a path whose symbolic links lead around.
func PathLoop(path string) *Error {
	e := PathNotFound(path)
	e.Hint = "Символические ссылки этого пути указывают друг на друга по кругу."
	return e
}

// PathSecret refuses to read the engine's own files, which may hold passwords.
func PathSecret(path string) *Error {
	return &Error{Exception: "SecurityException", Message: "Reading " + path + " is not allowed: it belongs to the engine.",
		Hint: "Настройки каталога и база каталога — служебные файлы; данные лежат в других папках lakehouse."}
}

// PathTrash refuses to keep tables or files where what was deleted lies.
func PathTrash(path string) *Error {
	return &Error{Exception: "SecurityException", Message: "Writing to " + path + " is not allowed: what lies there was deleted, and goes when the trash is emptied.",
		Hint: "Корзину очищает CALL spark_catalog.system.expunge(); для таблиц и файлов возьмите другую папку."}
}

// NotRegularFile is a pipe, a socket or a device where a file with data should be: reading it would not end.
func NotRegularFile(path string) *Error {
	e := UnreadableFile(path, nil)
	e.Message += "It is not a regular file."
	return e
}

// NameTooLong is a folder or file that can't be made, because its path or a name in it has more bytes than there may be.
func NameTooLong(path, name string, most int) *Error {
	return &Error{Exception: "SparkException", Class: "TASK_WRITE_FAILED", SQLState: "58030", Message: "Task failed while writing rows to file:" + path + ".",
		Params: map[string]string{"path": "file:" + path}, Hint: fmt.Sprintf("Имя %.40s… занимает %d байт, а папка или файл может иметь имя не длиннее %d.", name, len(name), most)}
}

// longestName is how many bytes the name of a file or folder can have.
const longestName = 255

// Unwritable gives an error of making a file or folder, for a write to a folder, its class, where it has one.
func Unwritable(path string, err error) error {
	if _, has := errors.AsType[*Error](err); has {
		return err
	}
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return NameTooLong(filepath.Dir(path), filepath.Base(path), longestName)
	}
	for cause, hint := range unwritable {
		if errors.Is(err, cause) {
			return &Error{Exception: "SparkException", Class: "TASK_WRITE_FAILED", SQLState: "58030", Message: "Task failed while writing rows to file:" + path + ".",
				Params: map[string]string{"path": "file:" + path}, Hint: hint + ": " + err.Error(), Cause: err}
		}
	}
	return err
}

// unwritable are the system's reasons for which nothing can be written.
var unwritable = map[syscall.Errno]string{
	syscall.ENOSPC: "На диске нет места", syscall.EDQUOT: "Исчерпана квота на диске", syscall.EFBIG: "Файл больше, чем разрешено", syscall.EROFS: "Диск доступен только для чтения",
	syscall.EACCES: "Нет права на запись", syscall.EPERM: "Нет права на запись", syscall.ENOTDIR: "На месте папки лежит файл",
}

// MetaException is a change of the metastore that is refused because the files that belong to it can't be moved.
func MetaException(err error) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_3065",
		Message: "org.apache.hadoop.hive.ql.metadata.HiveException: MetaException(message:" + err.Error() + ")", Cause: err}
}

// EmptyLocation is LOCATION ”.
func EmptyLocation() *Error {
	return &Error{Exception: "IllegalArgumentException", Class: "INVALID_EMPTY_LOCATION", SQLState: "42K05",
		Message: "The location name cannot be empty string, but `` was given.", Params: map[string]string{"location": ""}}
}

// PathTaken is a database that would lie in a table's folder.
func PathTaken(path string) *Error {
	return &Error{Exception: "SecurityException", Message: "A database at " + path + " is not allowed: it is a table's folder or lies in one.",
		Hint: "Управляемая таблица владеет своей папкой целиком; для базы возьмите другую папку."}
}

// EmptyPath is an empty path where a table's or files' folder is asked for, in Hadoop's words.
func EmptyPath() *Error { return IllegalArgument("Can not create a Path from an empty string") }
