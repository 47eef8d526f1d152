"""The tables of a Zotero 8 database (userdata schema 123) that hold a library, with its types and fields."""

USERDATA = 123


def _words(text: str) -> list[str]:
    return text.split()


TABLES = """
CREATE TABLE version (schema TEXT PRIMARY KEY, version INT NOT NULL);
CREATE TABLE settings (setting TEXT, key TEXT, value, PRIMARY KEY (setting, key));
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, dateAdded TIMESTAMP NOT NULL DEFAULT
    CURRENT_TIMESTAMP, dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, clientDateModified TIMESTAMP
    NOT NULL DEFAULT CURRENT_TIMESTAMP, libraryID INT NOT NULL, key TEXT NOT NULL, version INT NOT NULL DEFAULT
    0, synced INT NOT NULL DEFAULT 0, UNIQUE (libraryID, key), FOREIGN KEY (libraryID) REFERENCES
    libraries(libraryID) ON DELETE CASCADE);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT, templateItemTypeID INT, display INT
    DEFAULT 1 );
CREATE TABLE itemTypesCombined (itemTypeID INT NOT NULL, typeName TEXT NOT NULL, display INT DEFAULT 1 NOT NULL,
    custom INT NOT NULL, PRIMARY KEY (itemTypeID));
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT, fieldFormatID INT, FOREIGN KEY (fieldFormatID)
    REFERENCES fieldFormats(fieldFormatID));
CREATE TABLE fieldsCombined (fieldID INT NOT NULL, fieldName TEXT NOT NULL, label TEXT, fieldFormatID INT,
    custom INT NOT NULL, PRIMARY KEY (fieldID));
CREATE TABLE baseFieldMappings (itemTypeID INT, baseFieldID INT, fieldID INT, PRIMARY KEY (itemTypeID,
    baseFieldID, fieldID), FOREIGN KEY (itemTypeID) REFERENCES itemTypes(itemTypeID), FOREIGN KEY (baseFieldID)
    REFERENCES fields(fieldID), FOREIGN KEY (fieldID) REFERENCES fields(fieldID));
CREATE TABLE baseFieldMappingsCombined (itemTypeID INT, baseFieldID INT, fieldID INT, PRIMARY KEY (itemTypeID,
    baseFieldID, fieldID));
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID), FOREIGN KEY (itemID)
    REFERENCES items(itemID) ON DELETE CASCADE, FOREIGN KEY (fieldID) REFERENCES fieldsCombined(fieldID),
    FOREIGN KEY (valueID) REFERENCES itemDataValues(valueID));
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT, FOREIGN KEY
    (itemID) REFERENCES items(itemID) ON DELETE CASCADE, FOREIGN KEY (parentItemID) REFERENCES items(itemID) ON
    DELETE CASCADE);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT,
    charsetID INT, path TEXT, syncState INT DEFAULT 0, storageModTime INT, storageHash TEXT,
    lastProcessedModificationTime INT, FOREIGN KEY (itemID) REFERENCES items(itemID) ON DELETE CASCADE, FOREIGN
    KEY (parentItemID) REFERENCES items(itemID) ON DELETE CASCADE, FOREIGN KEY (charsetID) REFERENCES
    charsets(charsetID) ON DELETE SET NULL);
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT NOT NULL, type INTEGER NOT NULL,
    authorName TEXT, text TEXT, comment TEXT, color TEXT, pageLabel TEXT, sortIndex TEXT NOT NULL, position TEXT
    NOT NULL, isExternal INT NOT NULL, FOREIGN KEY (itemID) REFERENCES items(itemID) ON DELETE CASCADE, FOREIGN
    KEY (parentItemID) REFERENCES itemAttachments(itemID));
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE itemTags (itemID INT NOT NULL, tagID INT NOT NULL, type INT NOT NULL, PRIMARY KEY (itemID, tagID),
    FOREIGN KEY (itemID) REFERENCES items(itemID) ON DELETE CASCADE, FOREIGN KEY (tagID) REFERENCES tags(tagID)
    ON DELETE CASCADE);
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT, UNIQUE
    (lastName, firstName, fieldMode));
CREATE TABLE itemCreators (itemID INT NOT NULL, creatorID INT NOT NULL, creatorTypeID INT NOT NULL DEFAULT 1,
    orderIndex INT NOT NULL DEFAULT 0, PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex), UNIQUE
    (itemID, orderIndex), FOREIGN KEY (itemID) REFERENCES items(itemID) ON DELETE CASCADE, FOREIGN KEY
    (creatorID) REFERENCES creators(creatorID) ON DELETE CASCADE, FOREIGN KEY (creatorTypeID) REFERENCES
    creatorTypes(creatorTypeID));
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL, parentCollectionID INT
    DEFAULT NULL, clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, libraryID INT NOT NULL, key
    TEXT NOT NULL, version INT NOT NULL DEFAULT 0, synced INT NOT NULL DEFAULT 0, UNIQUE (libraryID, key),
    FOREIGN KEY (libraryID) REFERENCES libraries(libraryID) ON DELETE CASCADE, FOREIGN KEY (parentCollectionID)
    REFERENCES collections(collectionID) ON DELETE CASCADE);
CREATE TABLE collectionItems (collectionID INT NOT NULL, itemID INT NOT NULL, orderIndex INT NOT NULL DEFAULT 0,
    PRIMARY KEY (collectionID, itemID), FOREIGN KEY (collectionID) REFERENCES collections(collectionID) ON
    DELETE CASCADE, FOREIGN KEY (itemID) REFERENCES items(itemID) ON DELETE CASCADE);
CREATE TABLE feeds (libraryID INTEGER PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL UNIQUE, lastUpdate
    TIMESTAMP, lastCheck TIMESTAMP, lastCheckError TEXT, cleanupReadAfter INT, cleanupUnreadAfter INT,
    refreshInterval INT, FOREIGN KEY (libraryID) REFERENCES libraries(libraryID) ON DELETE CASCADE);
CREATE TABLE feedItems (itemID INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, readTime TIMESTAMP,
    translatedTime TIMESTAMP, FOREIGN KEY (itemID) REFERENCES items(itemID) ON DELETE CASCADE);
CREATE TABLE deletedCollections (collectionID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP NOT
    NULL, FOREIGN KEY (collectionID) REFERENCES collections(collectionID) ON DELETE CASCADE);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL, FOREIGN
    KEY (itemID) REFERENCES items(itemID) ON DELETE CASCADE);
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT NOT NULL, filesEditable
    INT NOT NULL, version INT NOT NULL DEFAULT 0, storageVersion INT NOT NULL DEFAULT 0, lastSync INT NOT NULL
    DEFAULT 0, archived INT NOT NULL DEFAULT 0);
CREATE TABLE groups (groupID INTEGER PRIMARY KEY, libraryID INT NOT NULL UNIQUE, name TEXT NOT NULL, description
    TEXT NOT NULL, version INT NOT NULL, FOREIGN KEY (libraryID) REFERENCES libraries(libraryID) ON DELETE
    CASCADE);
"""

# In the order of their ids, from 1
ITEM_TYPES = _words(
    """
annotation artwork attachment audioRecording bill blogPost book bookSection case computerProgram conferencePaper
dataset dictionaryEntry document email encyclopediaArticle film forumPost hearing instantMessage interview
journalArticle letter magazineArticle manuscript map newspaperArticle note patent podcast preprint presentation
radioBroadcast report standard statute thesis tvBroadcast videoRecording webpage
"""
)

FIELDS = _words(
    """
title abstractNote artworkMedium medium artworkSize date language shortTitle archive archiveLocation
libraryCatalog callNumber url accessDate rights extra audioRecordingFormat seriesTitle volume numberOfVolumes
place label publisher runningTime ISBN billNumber number code codeVolume section codePages pages legislativeBody
authority session history blogTitle publicationTitle websiteType type series seriesNumber edition numPages
bookTitle caseName court dateDecided docketNumber reporter reporterVolume firstPage versionNumber system company
programmingLanguage proceedingsTitle conferenceName DOI identifier repository repositoryLocation format
citationKey dictionaryTitle subject encyclopediaTitle distributor genre videoRecordingFormat forumTitle postType
committee documentNumber interviewMedium issue seriesText journalAbbreviation ISSN letterType manuscriptType
mapType scale country assignee issuingAuthority patentNumber filingDate applicationNumber priorityNumbers
issueDate references legalStatus status episodeNumber audioFileType archiveID presentationType meetingName
programTitle network reportNumber reportType institution organization nameOfAct codeNumber publicLawNumber
dateEnacted thesisType university studio websiteTitle eventPlace originalDate originalPublisher originalPlace
partNumber partTitle PMID PMCID priorityDate sessionTitle
"""
)

CREATOR_TYPES = _words(
    """
artist contributor performer composer wordsBy sponsor cosponsor author commenter editor translator seriesEditor
bookAuthor counsel programmer reviewedAuthor recipient director scriptwriter producer interviewee interviewer
cartographer inventor attorneyAgent podcaster guest presenter castMember originalCreator host narrator
executiveProducer seriesCreator chair organizer creator
"""
)

# item type : base field = the field that stands for it
BASE_FIELDS = _words(
    """
artwork:medium=artworkMedium audioRecording:medium=audioRecordingFormat audioRecording:publisher=label
bill:number=billNumber bill:volume=codeVolume bill:pages=codePages bill:authority=legislativeBody
blogPost:publicationTitle=blogTitle blogPost:type=websiteType book:medium=format
bookSection:publicationTitle=bookTitle bookSection:medium=format case:title=caseName case:authority=court
case:date=dateDecided case:number=docketNumber case:volume=reporterVolume case:pages=firstPage
computerProgram:publisher=company conferencePaper:publicationTitle=proceedingsTitle dataset:number=identifier
dataset:publisher=repository dataset:place=repositoryLocation dataset:medium=format
dictionaryEntry:publicationTitle=dictionaryTitle email:title=subject
encyclopediaArticle:publicationTitle=encyclopediaTitle film:publisher=distributor film:type=genre
film:medium=videoRecordingFormat forumPost:publicationTitle=forumTitle forumPost:type=postType
hearing:number=documentNumber hearing:authority=legislativeBody interview:medium=interviewMedium
letter:type=letterType manuscript:type=manuscriptType manuscript:publisher=institution map:type=mapType
patent:authority=issuingAuthority patent:number=patentNumber patent:date=issueDate
patent:originalDate=priorityDate patent:status=legalStatus podcast:number=episodeNumber
podcast:medium=audioFileType preprint:type=genre preprint:publisher=repository preprint:number=archiveID
presentation:type=presentationType presentation:publicationTitle=sessionTitle
radioBroadcast:publicationTitle=programTitle radioBroadcast:number=episodeNumber
radioBroadcast:medium=audioRecordingFormat radioBroadcast:publisher=network report:number=reportNumber
report:type=reportType report:publisher=institution standard:authority=organization statute:title=nameOfAct
statute:number=publicLawNumber statute:date=dateEnacted thesis:type=thesisType thesis:publisher=university
tvBroadcast:publicationTitle=programTitle tvBroadcast:number=episodeNumber
tvBroadcast:medium=videoRecordingFormat tvBroadcast:publisher=network videoRecording:medium=videoRecordingFormat
videoRecording:publisher=studio webpage:publicationTitle=websiteTitle webpage:type=websiteType
"""
)
